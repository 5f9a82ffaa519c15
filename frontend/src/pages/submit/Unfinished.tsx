import { useQuery } from "@tanstack/react-query";

import { useChange } from "../../api/account";
import { uploadsQuery, type Upload } from "../../api/uploads";
import { DataTable } from "../../components/DataTable";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { bytes, sentence } from "../../format";
import { SIDE_NAMES } from "../../words";

/** One's own uploads that stopped on their way. */
export function Unfinished() {
  const uploads = useQuery(uploadsQuery).data?.uploads ?? [];
  const open = uploads.filter(({ state, submission }) => state === "open" && submission === null);
  const end = useChange();
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="unfinished">
      <h2 id="unfinished">Unfinished uploads</h2>
      <p>Choose the same file for the same board again, and it goes on where it stopped.</p>
      {end.error !== null && <Notice kind="error">{sentence(end.error.message)}</Notice>}
      <DataTable name="unfinished" caption="What has not arrived by its end is given up.">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Side</th>
            <th scope="col">Board</th>
            <th scope="col" className="number">
              Arrived
            </th>
            <th scope="col">Kept until</th>
            <th scope="col">Give up</th>
          </tr>
        </thead>
        <tbody>
          {open.map((upload) => (
            <Row
              key={upload.id}
              upload={upload}
              busy={end.isPending}
              giveUp={() => { end.mutate({ method: "DELETE", path: `/uploads/${upload.id}` }); }}
            />
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}

function Row({ upload, busy, giveUp }: { upload: Upload; busy: boolean; giveUp: () => void }) {
  return (
    <tr>
      <th scope="row">{upload.name}</th>
      <td>{SIDE_NAMES[upload.side]}</td>
      <td>{upload.board}</td>
      <td className="number">
        {bytes(upload.arrived)} of {bytes(upload.bytes)}
      </td>
      <td>
        <Time at={upload.expires_at} />
      </td>
      <td>
        <button type="button" disabled={busy} onClick={giveUp} aria-label={`Give up ${upload.name}`}>
          Give up
        </button>
      </td>
    </tr>
  );
}
