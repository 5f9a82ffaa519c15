import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress } from "../../address";
import { snapshotQuery, type Snapshot } from "../../api/snapshots";
import { Command } from "../../components/Command";
import { DataTable } from "../../components/DataTable";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { count, day } from "../../format";
import { Missing } from "../NotFoundPage";
import { OfBoard } from "../OfBoard";
import { PlaceTable } from "./PlaceTable";
import { snapshotsAddress } from "./addresses";

/** A board as it stood, with its files, and how to cite and to check it. */
export function SnapshotPage() {
  const { id = "" } = useParams();
  const snapshot = useQuery(snapshotQuery(id));
  const { data } = snapshot;
  const named = data === undefined ? "Snapshot" : `${data.title} on ${day(data.made_at)}`;
  return (
    <Page
      title={named}
      heading={named}
      above={
        <>
          <Link to="/">Boards</Link>
          {data !== undefined && (
            <>
              {" "}
              / <Link to={boardAddress(data.board)}>{data.board}</Link> /{" "}
              <Link to={snapshotsAddress(data.board)}>Snapshots</Link>
            </>
          )}
        </>
      }
    >
      <Loaded query={snapshot} what="the snapshot" missing={<Missing kind="snapshot" id={id} />}>
        {(found) => <Content snapshot={found} />}
      </Loaded>
    </Page>
  );
}

function Content({ snapshot }: { snapshot: Snapshot }) {
  const { defense = [], attack = [] } = snapshot.rankings;
  return (
    <>
      <p>
        This is how the board stood. Its numbers never change; a name leaves it when its entry is taken
        back.
      </p>
      <Facts
        facts={[
          ["Made", <Time key="made" at={snapshot.made_at} />],
          ["Kept for", snapshot.month ?? "a request"],
          ...(snapshot.reason === null ? [] : [["Reason", snapshot.reason] as [string, string]]),
          ["Revision", count(snapshot.revision)],
          ["Protocol", <code key="protocol">{snapshot.protocol}</code>],
          ["Cells", count(snapshot.cells)],
          ["A name last left it", <Time key="reissued" at={snapshot.reissued_at} />],
          ["SHA-256 of its numbers", <code key="digest">{snapshot.digest}</code>],
        ]}
      />
      <section className="part" aria-labelledby="files">
        <h2 id="files">Files</h2>
        <Files snapshot={snapshot} />
      </section>
      <section className="part" aria-labelledby="cite">
        <h2 id="cite">Cite it, compute it again</h2>
        <Command label="BibTeX">{snapshot.bibtex}</Command>
        <Command label="Command">{snapshot.command}</Command>
      </section>
      <OfBoard id={snapshot.board} former={snapshot.metric}>
        <PlaceTable side="defense" lines={defense} />
        <PlaceTable side="attack" lines={attack} />
      </OfBoard>
    </>
  );
}

function Files({ snapshot }: { snapshot: Snapshot }) {
  return (
    <DataTable
      name="files"
      caption="Each address has the hash of its bytes in it, and gives these bytes or none."
    >
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col" className="number">
            Bytes
          </th>
          <th scope="col">SHA-256</th>
        </tr>
      </thead>
      <tbody>
        {snapshot.files.map((file) => (
          <tr key={file.name}>
            <th scope="row">
              <a href={file.url}>{file.name}</a>
            </th>
            <td className="number">{count(file.bytes)}</td>
            <td>
              <code>{file.sha256}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
