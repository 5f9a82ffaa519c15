import { useId, useState } from "react";

import { bytes } from "../../format";

interface FileDropProps {
  file: File | null;
  fault: string | undefined;
  disabled: boolean;
  onFile: (file: File) => void;
}

/** The file: dropped here, or chosen by its button. */
export function FileDrop({ file, fault, disabled, onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div
      className="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => { setOver(false); }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer.files;
        if (dropped !== undefined && !disabled) onFile(dropped);
      }}
    >
      <label htmlFor={id}>File</label>
      <input
        id={id}
        type="file"
        accept=".npz,.safetensors"
        disabled={disabled}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint${fault === undefined ? "" : ` ${id}-fault`}`}
        // the same name chosen again may be another file by now
        onClick={(event) => { event.currentTarget.value = ""; }}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) onFile(chosen);
        }}
      />
      <p className="field-hint" id={`${id}-hint`}>
        {file === null
          ? "Drop it here, or choose it. An attack is one .npz, a defense one .safetensors."
          : `${file.name}, ${bytes(file.size)}.`}
      </p>
      {fault !== undefined && (
        <p className="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
