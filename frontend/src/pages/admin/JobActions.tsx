import { useState } from "react";

import { useAdminChange, type Job } from "../../api/admin";
import { ReasonDialog } from "../../components/ReasonDialog";

type Action = "start" | "cancel" | "requeue";

const WORDS: Record<Action, { title: string; action: string; text: string }> = {
  start: {
    title: "Start this re-evaluation?",
    action: "Start it",
    text: "Its cells are computed beside those that the board shows, after new submissions. Nobody’s rank moves.",
  },
  cancel: {
    title: "Cancel this re-evaluation?",
    action: "Cancel it for good",
    text: "Its results are left aside, and nothing that anybody sees changes. This can’t be undone.",
  },
  requeue: {
    title: "Queue its dead cells again?",
    action: "Queue them again",
    text: "They get their attempts back and wait for a worker.",
  },
};

/** What an admin may do with a re-evaluation in its state, beside applying it. */
export function JobActions({ job }: { job: Job }) {
  const [asked, setAsked] = useState<Action | null>(null);
  const possible: Action[] = [
    ...(job.state === "proposed" ? (["start"] as const) : []),
    ...(job.progress.dead > 0 && (job.state === "running" || job.state === "ready")
      ? (["requeue"] as const)
      : []),
    ...(job.state === "applied" || job.state === "cancelled" ? [] : (["cancel"] as const)),
  ];
  if (possible.length === 0) return null;
  return (
    <>
      <p className="actions">
        {possible.map((action) => (
          <button
            key={action}
            type="button"
            onClick={() => {
              setAsked(action);
            }}
          >
            {{ start: "Start", cancel: "Cancel", requeue: "Queue dead cells again" }[action]}
          </button>
        ))}
      </p>
      {asked !== null && (
        <ActionDialog
          job={job}
          action={asked}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

interface ActionDialogProps {
  job: Job;
  action: Action;
  onClose: () => void;
}

function ActionDialog({ job, action, onClose }: ActionDialogProps) {
  const change = useAdminChange(onClose);
  const { title, action: word, text } = WORDS[action];
  return (
    <ReasonDialog
      title={title}
      action={word}
      busy={change.isPending}
      error={change.error}
      reason={action !== "start"}
      onClose={onClose}
      onSend={(reason) => {
        const path = `/admin/reevaluations/${job.id}/${action}`;
        change.mutate({ method: "POST", path, ...(action === "start" ? {} : { body: { reason } }) });
      }}
    >
      {text}
    </ReasonDialog>
  );
}
