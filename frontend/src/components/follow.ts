/** Links that are plain elements, followed without loading the page anew. */
import type { MouseEvent } from "react";
import { useNavigate } from "react-router";

/** What the service answers itself, without the page. */
const SERVED = /^\/(\/|api\/|openapi\.json|assets\/)/;

/** Whether an address is one of the page's own. */
export function isOwn(address: string): boolean {
  return address.startsWith("#") || (address.startsWith("/") && !SERVED.test(address));
}

/**
 * What an element does when something inside is clicked: the page's own links are followed in place.
 * A router's link for each of a thousand cells is slow, and HTML from the service has none.
 */
export function useFollow(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, target, defaultPrevented } = event;
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest("a") : null;
    const address = link?.getAttribute("href");
    if (link === null || address == null || link.hasAttribute("download") || !isOwn(address)) return;
    event.preventDefault();
    void navigate(address);
  };
}
