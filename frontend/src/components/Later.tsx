import { Component, Suspense, type ReactNode } from "react";

import { Notice } from "./Notice";

/** A part of the site whose code is read when it is first opened. */
export function Later({ children }: { children: ReactNode }) {
  return (
    <Unread>
      <Suspense
        fallback={
          <p className="loading" role="status">
            Reading the page …
          </p>
        }
      >
        {children}
      </Suspense>
    </Unread>
  );
}

/** Says so where the code could not be read: the service is away, or has a newer page. */
class Unread extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice kind="error">
        <p>This page could not be read. The service can’t be reached, or has a newer page.</p>
        <p>
          <button
            type="button"
            onClick={() => {
              window.location.reload();
            }}
          >
            Read it again
          </button>
        </p>
      </Notice>
    );
  }
}
