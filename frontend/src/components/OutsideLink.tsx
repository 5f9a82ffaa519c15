import type { ReactNode } from "react";

import { webAddress } from "../format";

/** A link to a web address that somebody else wrote; anything but http(s) is shown as text. */
export function OutsideLink({ href, children }: { href: string | null; children?: ReactNode }) {
  const address = webAddress(href);
  if (address === null) return <span>{href}</span>;
  return (
    <a href={address} rel="noopener noreferrer nofollow ugc">
      {children ?? href}
    </a>
  );
}
