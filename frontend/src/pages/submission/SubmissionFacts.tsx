import type { ReactNode } from "react";

import type { Submission } from "../../api/types";
import { scaleNames, useBoard } from "../../board";
import { Facts } from "../../components/Facts";
import { OutsideLink } from "../../components/OutsideLink";
import { Time } from "../../components/Time";
import { DASH, bytes, count, seconds } from "../../format";
import { DIFFICULTY_NAMES, familyName } from "../../words";

/** Who made it, what the file holds, and when what happened. */
export function SubmissionFacts({ submission }: { submission: Submission }) {
  const scale = scaleNames(useBoard());
  const facts: [string, ReactNode][] = [
    ["Authors", submission.authors || DASH],
    ...(submission.team === null ? [] : [["Team", submission.team] as [string, ReactNode]]),
    ["Submitted by", submission.submitter || DASH],
    ["Family", familyName(submission.family)],
    ...(submission.side === "defense" ? defenseFacts(submission) : attackFacts(submission, scale)),
    ["Evaluation time", evaluationTime(submission)],
    ["Attempt", `attempt ${submission.attempt} of ${submission.attempts}`],
    ["Paper", <Web key="paper" href={submission.paper_url} />],
    ["Code", <Web key="code" href={submission.code_url} />],
    ["Received", <Time key="received" at={submission.received_at} />],
    ["Checked", <Time key="checked" at={submission.validated_at} />],
    ["Registered", <Time key="registered" at={submission.registered_at} />],
    ...(submission.public_at === null
      ? []
      : [["Public from", <Time key="public" at={submission.public_at} />] as [string, ReactNode]]),
    ...(submission.edited_at === null
      ? []
      : [["Edited", <Time key="edited" at={submission.edited_at} />] as [string, ReactNode]]),
    ["File", <Artefact key="file" of={submission} />],
    ["SHA-256", submission.sha256 === null ? DASH : <code key="sha256">{submission.sha256}</code>],
    [
      "Canonical hash",
      submission.canonical === null ? DASH : <code key="canonical">{submission.canonical}</code>,
    ],
    ["Identifier", <code key="id">{submission.id}</code>],
  ];
  return <Facts facts={facts} />;
}

function defenseFacts(submission: Submission): [string, ReactNode][] {
  return [
    ["Architecture", submission.architecture ?? DASH],
    [
      "Parameters",
      submission.parameters === null ? DASH : <Parameters key="p" of={submission.parameters} />,
    ],
    ["Features", submission.features ?? DASH],
    ["Adversarially trained", submission.adversarially_trained ? "yes" : "no"],
  ];
}

function attackFacts(submission: Submission, scale: string): [string, ReactNode][] {
  const difficulties = submission.difficulties.map((name) => DIFFICULTY_NAMES[name]);
  return [
    ["Surrogate", submission.surrogate ?? DASH],
    [scale, difficulties.join(", ") || DASH],
    ["Repeats", count(submission.repeats)],
  ];
}

function evaluationTime({ evaluation }: Submission): string {
  if (evaluation === null) return DASH;
  const { cells, total, mean } = evaluation;
  return `${seconds(total)} for ${count(cells)} ${cells === 1 ? "cell" : "cells"}, ${seconds(mean)} each on average`;
}

/** A link to the file, where the service hands it to everybody. */
function Artefact({ of }: { of: Submission }) {
  if (of.deleted) return <span>deleted</span>;
  const checked = !["received", "validating", "rejected"].includes(of.state);
  const marked = (of.withdrawn || of.hidden) && !of.is_reference;
  const size = bytes(of.bytes);
  if (!checked || marked) return <span>{size}, not public</span>;
  return (
    <a href={of.artefact_url} download>
      Download ({size})
    </a>
  );
}

function Parameters({ of }: { of: Record<string, unknown> }) {
  return (
    <code>
      {Object.entries(of)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(" ")}
    </code>
  );
}

function Web({ href }: { href: string | null }) {
  return href === null ? <span className="none">{DASH}</span> : <OutsideLink href={href} />;
}
