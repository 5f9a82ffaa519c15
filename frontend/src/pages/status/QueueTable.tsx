import type { Queue, Status } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count, duration } from "../../format";

/** What waits, runs and was done, of both kinds of work. */
export function QueueTable({ status }: { status: Status }) {
  return (
    <DataTable
      name="queue"
      className="compact"
      caption="What waits for a worker and what is being worked on, now; what was done within 24 hours; what has used up its attempts and waits for an admin."
    >
      <thead>
        <tr>
          <th scope="col">Work</th>
          <th scope="col" className="number">
            Waiting
          </th>
          <th scope="col" className="number">
            Oldest waits
          </th>
          <th scope="col" className="number">
            Running
          </th>
          <th scope="col" className="number">
            Done in 24 h
          </th>
          <th scope="col" className="number">
            For an admin
          </th>
        </tr>
      </thead>
      <tbody>
        <QueueRow name="Checks of files" queue={status.validations} />
        <QueueRow name="Cells" queue={status.cells} />
      </tbody>
    </DataTable>
  );
}

function QueueRow({ name, queue }: { name: string; queue: Queue }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{count(queue.waiting)}</td>
      <td className="number">{duration(queue.oldest_seconds)}</td>
      <td className="number">{count(queue.running)}</td>
      <td className="number">{count(queue.done)}</td>
      <td className="number">{count(queue.stopped)}</td>
    </tr>
  );
}
