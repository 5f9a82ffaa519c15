import { useAdminChange, type AnyEntry } from "../../api/admin";
import { fill } from "../../api/client";
import { ReasonDialog } from "../../components/ReasonDialog";

export type EntryAction = "hide" | "show" | "revalidate" | "delete";

const WORDS: Record<EntryAction, { title: string; action: string; text: string }> = {
  hide: {
    title: "Hide",
    action: "Hide it",
    text: "It leaves the rankings, and its file is no longer handed out. A hidden reference still counts for others. This can be undone.",
  },
  show: {
    title: "Show",
    action: "Show it",
    text: "It ranks again, once it is evaluated against the entries that it missed.",
  },
  revalidate: {
    title: "Check again",
    action: "Check it again",
    text: "Where the check of its file has stopped, it gets its attempts back.",
  },
  delete: {
    title: "Delete",
    action: "Delete it for good",
    text: "Its file goes, and whatever tells whose it was. It stays as an anonymous attempt, and its finished cells keep their numbers. This can’t be undone.",
  },
};

interface EntryDialogProps {
  entry: Pick<AnyEntry, "id" | "name">;
  action: EntryAction;
  onClose: () => void;
}

/** Asks before an entry is hidden, shown, checked again or deleted. */
export function EntryDialog({ entry, action, onClose }: EntryDialogProps) {
  const change = useAdminChange(onClose);
  const words = WORDS[action];
  return (
    <ReasonDialog
      title={`${words.title}: ${entry.name}`}
      action={words.action}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason) => {
        const path = `/submissions/${entry.id}`;
        if (action === "delete") {
          change.mutate({ method: "DELETE", path: fill(path, {}, { reason }) });
        } else {
          change.mutate({ method: "POST", path: `${path}/${action}`, body: { reason } });
        }
      }}
    >
      {words.text}
    </ReasonDialog>
  );
}
