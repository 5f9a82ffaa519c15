import { useLayoutEffect, useRef } from "react";

import { useFollow } from "./follow";

interface HtmlProps {
  /** Made and sanitised by the service. */
  html: string;
  className: string;
}

/** A text of the service: links within the site stay in the page, and each command can be copied. */
export function Html({ html, className }: HtmlProps) {
  const follow = useFollow();
  const text = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const blocks = text.current?.querySelectorAll("pre") ?? [];
    const ends = [...blocks].map(copied);
    return () => {
      for (const end of ends) end();
    };
  }, [html]);
  return (
    <div
      className={className}
      ref={text}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** Gives a block of code a button that copies it; what takes the button away again. */
function copied(block: HTMLElement, at: number): () => void {
  const frame = document.createElement("div");
  frame.className = "command";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy block ${String(at + 1)}`);
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(block.textContent.trimEnd()).then(
      () => {
        button.textContent = "Copied";
        button.setAttribute("aria-label", `Copied block ${String(at + 1)}`);
      },
      () => undefined, // no permission: the text can still be selected
    );
  });
  block.before(frame);
  frame.append(block, button);
  return () => {
    frame.replaceWith(block);
  };
}
