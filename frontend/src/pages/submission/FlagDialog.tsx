import { useQueryClient } from "@tanstack/react-query";

import { everything, useChange } from "../../api/account";
import { submissionKey } from "../../api/queries";
import type { Flag, Submission } from "../../api/types";
import { ReasonDialog } from "../../components/ReasonDialog";

interface FlagDialogProps {
  flag: Flag;
  of: Submission;
  onClose: () => void;
}

/** Asks an admin why a flag is wrong of an entry, or why it is not after all. */
export function FlagDialog({ flag, of, onClose }: FlagDialogProps) {
  const client = useQueryClient();
  const change = useChange<Submission>((answer) => {
    client.setQueryData(submissionKey(of.id), answer);
    onClose();
  }, everything);
  const dismisses = flag.dismissed === null;
  return (
    <ReasonDialog
      title={`${dismisses ? "Dismiss" : "Raise again"}: ${flag.title}`}
      action={dismisses ? "Dismiss it" : "Raise it again"}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason) => {
        const path = `/submissions/${of.id}/flags/${flag.code}/${dismisses ? "dismiss" : "restore"}`;
        change.mutate({ method: "POST", path, body: { reason } });
      }}
    >
      {dismisses
        ? "It leaves the rankings. This page goes on to show it, with the reason. This can be undone."
        : "It is named in the rankings again, where it holds."}
    </ReasonDialog>
  );
}
