import { useState } from "react";

import { copyText } from "./copy";

/** A command to run at home, with a button that copies it. */
export function Command({ label, children }: { label: string; children: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="command">
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{children}</code>
      </pre>
      <button type="button" onClick={() => void copyText(children).then(setCopied)}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
