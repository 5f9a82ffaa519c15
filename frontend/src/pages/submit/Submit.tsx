import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";

import { submitAddress } from "../../address";
import { Refusal } from "../../api/client";
import { quotaQuery } from "../../api/uploads";
import type { Board, Side } from "../../api/types";
import { Command } from "../../components/Command";
import { Notice } from "../../components/Notice";
import { bytes } from "../../format";
import { SUFFIXES, curlCommand, submitCommand, suffixSide } from "./commands";
import { FileDrop } from "./FileDrop";
import { FileFormat } from "./FileFormat";
import { QuotaLine, isExhausted } from "./QuotaLine";
import { RefusedPanel, SendingPanel } from "./SendingPanel";
import { SubmitForm, fieldsOf } from "./SubmitForm";
import { Unfinished } from "./Unfinished";
import { useSending } from "./useSending";

interface SubmitProps {
  board: Board;
  side: Side;
  /** Shows that this page asks; null where nobody is signed in. */
  token: string | null;
  onSide: (side: Side) => void;
}

/** A file and what is said of it, for one board. */
export function Submit({ board, side, token, onSide }: SubmitProps) {
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [values, setValues] = useState<FormData | null>(null);
  const [missing, setMissing] = useState(false);
  const quota = useQuery({ ...quotaQuery, enabled: token !== null }).data;
  const done = useCallback(
    (id: string, again: boolean) => {
      void navigate(`${submitAddress(board.id, side)}&sent=${id}${again ? "&again" : ""}`, {
        replace: true,
      });
    },
    [navigate, board.id, side],
  );
  const { state, send, pause, resume, stop } = useSending(done);
  const closed = board.state === "no-data";
  const most = side === "attack" ? board.attack_bytes : board.defense_bytes;
  const fault = fileFault(file, side, most, missing);
  const exhausted = quota !== undefined && isExhausted(quota, board.id);
  const busy = state.step !== "idle" && state.step !== "refused";
  const fields = values === null ? {} : fieldsOf(values, side);
  const said = { board: board.id, side, file: file?.name ?? side + SUFFIXES[side], fields };
  const error = state.step === "refused" ? state.error : null;
  const told = useRef<HTMLDivElement>(null);
  const elsewhere = error instanceof Refusal && error.code === "invalid-fields"; // beside its field
  useEffect(() => {
    if (busy || (error !== null && !elsewhere)) told.current?.focus();
  }, [busy, error, elsewhere]);
  return (
    <>
      {closed && (
        <Notice kind="warning">
          The dataset's files are not on this service, so this board takes no uploads at the moment.
          {board.hint !== null && (
            <>
              {" "}
              For its operator: <code>{board.hint}</code>
            </>
          )}
        </Notice>
      )}
      {quota === undefined
        ? token !== null && <p className="small">Reading what is left of your quotas …</p>
        : <QuotaLine quota={quota} board={board.id} />}
      {(busy || error !== null) && (
        <div className="told" ref={told} tabIndex={-1}>
          {busy && file !== null && <SendingPanel {...{ state, file, pause, resume, stop }} />}
          {error !== null && <RefusedPanel error={error} />}
        </div>
      )}
      <div hidden={busy}>
        <SubmitForm
          board={board}
          side={side}
          isOther={values?.get("method") === "other:"}
          error={error}
          disabled={token === null || closed || exhausted || busy}
          onChange={setValues}
          onSend={(given) => {
            setMissing(file === null);
            if (file === null || token === null || fileFault(file, side, most, true)) return;
            send(file, { board: board.id, side, ...fieldsOf(given, side) }, token);
          }}
          file={
            <>
              <FileDrop
                file={file}
                fault={fault}
                disabled={busy}
                onFile={(chosen) => {
                  setFile(chosen);
                  const told = suffixSide(chosen.name);
                  if (told !== null && told !== side) onSide(told);
                  if (state.step === "refused") stop();
                }}
              />
              <FileFormat board={board} side={side} />
            </>
          }
        />
      </div>
      {token !== null && !busy && <Unfinished />}
      <section aria-labelledby="elsewhere">
        <h2 id="elsewhere">The same without a browser</h2>
        <p>
          With a token from your account. <code>grb check</code> runs the whole check offline first.
        </p>
        <Command label="The command that submits">{submitCommand(said, window.location.origin)}</Command>
        <Command label="The same with curl">{curlCommand(said, window.location.origin)}</Command>
      </section>
    </>
  );
}

/** What is wrong with a file before any of its bytes is read. */
export function fileFault(
  file: File | null,
  side: Side,
  most: number,
  asked: boolean,
): string | undefined {
  if (file === null) return asked ? "Choose the file first." : undefined;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > most) {
    return `${file.name} has ${bytes(file.size)}; this board takes at most ${bytes(most)}.`;
  }
  if (suffixSide(file.name) === side) return undefined;
  return `Found ${file.name}, allowed: a file whose name ends in ${SUFFIXES[side]}.`;
}
