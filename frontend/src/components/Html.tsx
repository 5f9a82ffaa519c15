import { useLayoutEffect, useRef } from "react";

import { copyText } from "./copy";
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
  const name = `block ${String(at + 1)}`;
  // it scrolls by itself, with the keyboard too
  block.tabIndex = 0;
  block.setAttribute("role", "region");
  block.setAttribute("aria-label", `Code, ${name}`);
  const frame = document.createElement("div");
  frame.className = "command";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${name}`);
  button.addEventListener("click", () => {
    void copyText(block.textContent.trimEnd()).then((done) => {
      if (!done) return;
      button.textContent = "Copied";
      button.setAttribute("aria-label", `Copied ${name}`);
    });
  });
  block.before(frame);
  frame.append(block, button);
  return () => {
    frame.replaceWith(block);
  };
}
