import { Link } from "react-router";

import type { Quota } from "../../api/uploads";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { bytes, count } from "../../format";

/** Whether nothing is left for an upload to this board. */
export function isExhausted(quota: Quota, board: string): boolean {
  const used = quota.boards.find((line) => line.board === board);
  return !quota.exempt && (used?.left === 0 || quota.invalid.left === 0);
}

/** What is left of the uploads to one board. */
export function QuotaLine({ quota, board }: { quota: Quota; board: string }) {
  const used = quota.boards.find((line) => line.board === board);
  if (quota.exempt) return <p className="small">You are an admin: no quota limits you.</p>;
  if (isExhausted(quota, board)) {
    return (
      <Notice kind="warning">
        <p>
          {used?.left === 0
            ? `All ${count(used.limit)} uploads to this board are used up today.`
            : `${count(quota.invalid.used)} files were refused today, and no more are taken.`}{" "}
          The next is possible from <Time at={quota.frees_at} />.
        </p>
      </Notice>
    );
  }
  const room = quota.stored_bytes.left;
  return (
    <p className="small">
      {used?.left == null
        ? "No limit holds for uploads to this board."
        : `${count(used.left)} of ${count(used.limit)} uploads to this board are left today.`}{" "}
      {room === null ? "" : `Room for files: ${bytes(room)}. `}
      <Link to="/mine#quota">Your quotas</Link>
    </p>
  );
}
