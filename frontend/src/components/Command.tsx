import { useState } from "react";

/** A command to run at home, with a button that copies it. */
export function Command({ label, children }: { label: string; children: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(children);
      setCopied(true);
    } catch {
      setCopied(false); // no permission: the text can still be selected
    }
  };
  return (
    <div className="command">
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{children}</code>
      </pre>
      <button type="button" onClick={() => void copy()}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
