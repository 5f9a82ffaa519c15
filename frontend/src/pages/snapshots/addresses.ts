import { boardAddress } from "../../address";
import { segment } from "../../api/client";

export function snapshotsAddress(board: string): string {
  return `${boardAddress(board)}/snapshots`;
}

export function snapshotAddress(id: string): string {
  return `/snapshots/${segment(id)}`;
}
