import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { useChoice } from "../../address";
import { previewQuery, useAdminChange, type Job, type JobPreview } from "../../api/admin";
import type { Difficulty, View } from "../../api/types";
import { scaleName, useBoard, useChoices } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { ReasonDialog } from "../../components/ReasonDialog";
import { count } from "../../format";
import { DIFFICULTY_NAMES, VIEWS, VIEW_NAMES } from "../../words";
import { OfBoard } from "../OfBoard";
import { DifferenceTable, EntryList, RankTable, UnmeasuredTable } from "./PreviewTables";

/** What would change if a re-evaluation were applied now, and the button that applies it. */
export function PreviewSection({ job }: { job: Job }) {
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">What would change</h2>
      <OfBoard id={job.board}>
        <Chosen job={job} />
      </OfBoard>
    </section>
  );
}

function Chosen({ job }: { job: Job }) {
  const { view, difficulty } = useChoice();
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const preview = useQuery({
    ...previewQuery(job.id, view, difficulty, job.state),
    placeholderData: keepPreviousData,
  });
  const address = (to: { view: View; difficulty: Difficulty }) =>
    `?difficulty=${to.difficulty}&view=${to.view}`;
  return (
    <>
      <div className="choices">
        <ChoiceLinks
          label={scale}
          names={DIFFICULTY_NAMES}
          options={choices}
          chosen={difficulty}
          address={(option) => address({ view, difficulty: option })}
        />
        <ChoiceLinks
          label="Counterparts"
          names={VIEW_NAMES}
          options={VIEWS}
          chosen={view}
          address={(option) => address({ view: option, difficulty })}
        />
      </div>
      <Loaded query={preview} what="what would change">
        {(found) => <Preview job={job} preview={found} />}
      </Loaded>
    </>
  );
}

function Preview({ job, preview }: { job: Job; preview: JobPreview }) {
  return (
    <>
      {preview.unfinished > 0 && (
        <Notice kind="note">
          Cells that are not computed yet: {count(preview.unfinished)}. This is what would change by the
          others.
        </Notice>
      )}
      <Facts
        className="strip"
        facts={[
          ["Cells that differ", count(preview.changed)],
          ["Entries that move", count(preview.moved)],
          ["Without a new result", count(preview.unmeasured.length)],
        ]}
      />
      <RankTable name="ranks-defenses" what="Defenses" changes={preview.defenses} />
      <RankTable name="ranks-attacks" what="Attacks" changes={preview.attacks} />
      <DifferenceTable cells={preview.largest} />
      <UnmeasuredTable cells={preview.unmeasured} />
      <EntryList title="Will have failed" entries={preview.failing} />
      <EntryList title="Will be evaluated until their cells are done" entries={preview.waiting} />
      <EntryList title="Had failed, and will count again" entries={preview.revived} />
      {job.state === "ready" && <Apply preview={preview} />}
    </>
  );
}

function Apply({ preview }: { preview: JobPreview }) {
  // what was looked at when one was asked: what it compares with may move meanwhile
  const [asked, setAsked] = useState<JobPreview | null>(null);
  const close = () => {
    setAsked(null);
  };
  const apply = useAdminChange(close);
  return (
    <>
      <p>
        <button
          type="button"
          className="primary"
          onClick={() => {
            apply.reset();
            setAsked(preview);
          }}
        >
          Apply it to the board
        </button>
      </p>
      {asked !== null && (
        <ReasonDialog
          title={`Apply to ${asked.board}?`}
          action="Apply it"
          busy={apply.isPending}
          error={apply.error}
          reason={false}
          onClose={close}
          onSend={() => {
            const path = `/admin/reevaluations/${asked.id}/apply`;
            apply.mutate({ method: "POST", path, body: { revision: asked.revision } });
          }}
        >
          The new results take the place of the old ones, at once and all together: {asked.changed}{" "}
          cells differ, {asked.moved} entries move. The old results stay readable, but this can’t be
          undone.
        </ReasonDialog>
      )}
    </>
  );
}
