import { lazy, type ComponentProps, type ReactElement } from "react";
import { Route, Routes } from "react-router";

import { Later } from "./components/Later";
import { Layout } from "./components/Layout";
import { BoardPage } from "./pages/board/BoardPage";
import { HomePage } from "./pages/HomePage";
import { NotFoundPage } from "./pages/NotFoundPage";
import { SubmissionsPage } from "./pages/SubmissionsPage";

const AccountPages = lazy(() => import("./pages/account/AccountPages"));
const AdminPages = lazy(() => import("./pages/admin/AdminPages"));
const DocsPages = lazy(() => import("./pages/docs/DocsPages"));

const ArenaPage = lazy(async () => ({
  default: (await import("./pages/arena/ArenaPage")).ArenaPage,
}));
const CellPage = lazy(async () => ({
  default: (await import("./pages/CellPage")).CellPage,
}));
const ChartsPage = lazy(async () => ({
  default: (await import("./pages/charts/ChartsPage")).ChartsPage,
}));
const ComparePage = lazy(async () => ({
  default: (await import("./pages/compare/ComparePage")).ComparePage,
}));
const MinePage = lazy(async () => ({
  default: (await import("./pages/mine/MinePage")).MinePage,
}));
const PaperPage = lazy(async () => ({
  default: (await import("./pages/paper/PaperPage")).PaperPage,
}));
const SeasonPage = lazy(async () => ({
  default: (await import("./pages/arena/SeasonPage")).SeasonPage,
}));
const SnapshotPage = lazy(async () => ({
  default: (await import("./pages/snapshots/SnapshotPage")).SnapshotPage,
}));
const SnapshotsPage = lazy(async () => ({
  default: (await import("./pages/snapshots/SnapshotsPage")).SnapshotsPage,
}));
const StatusPage = lazy(async () => ({
  default: (await import("./pages/status/StatusPage")).StatusPage,
}));
const SubmissionPage = lazy(async () => ({
  default: (await import("./pages/submission/SubmissionPage")).SubmissionPage,
}));
const SubmitPage = lazy(async () => ({
  default: (await import("./pages/submit/SubmitPage")).SubmitPage,
}));

/** A page whose code is read when it is first opened. */
function later(page: ReactElement, key: string) {
  return <Later key={key}>{page}</Later>;
}

function account(section: ComponentProps<typeof AccountPages>["section"]) {
  return later(<AccountPages section={section} />, section);
}

function admin(section: ComponentProps<typeof AdminPages>["section"]) {
  return later(<AdminPages section={section} />, section);
}

function docs(section: ComponentProps<typeof DocsPages>["section"]) {
  return later(<DocsPages section={section} />, section);
}

/** Every page and its address. */
export function App() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomePage />} />
        <Route path="boards/:dataset/:scenario" element={<BoardPage />} />
        <Route path="boards/:dataset/:scenario/rules" element={docs("rules")} />
        <Route path="boards/:dataset/:scenario/table" element={later(<PaperPage />, "table")} />
        <Route path="boards/:dataset/:scenario/charts" element={later(<ChartsPage />, "charts")} />
        <Route path="boards/:dataset/:scenario/arena" element={later(<ArenaPage />, "arena")} />
        <Route path="boards/:dataset/:scenario/seasons/:number" element={later(<SeasonPage />, "season")} />
        <Route path="boards/:dataset/:scenario/snapshots" element={later(<SnapshotsPage />, "snapshots")} />
        <Route path="snapshots/:id" element={later(<SnapshotPage />, "snapshot")} />
        <Route path="compare" element={later(<ComparePage />, "compare")} />
        <Route path="submissions" element={<SubmissionsPage />} />
        <Route path="submissions/:id" element={later(<SubmissionPage />, "submission")} />
        <Route path="cells/:id" element={later(<CellPage />, "cell")} />
        <Route path="submit" element={later(<SubmitPage />, "submit")} />
        <Route path="mine" element={later(<MinePage />, "mine")} />
        <Route path="status" element={later(<StatusPage />, "status")} />
        <Route path="guide" element={docs("guide")} />
        <Route path="guide/:name" element={docs("text")} />
        <Route path="docs" element={docs("reference")} />
        <Route path="about" element={docs("about")} />
        <Route path="account" element={account("account")} />
        <Route path="account/sign-in" element={account("sign-in")} />
        <Route path="account/sign-up" element={account("sign-up")} />
        <Route path="account/reset" element={account("reset")} />
        <Route path="admin" element={admin("now")} />
        <Route path="admin/users" element={admin("users")} />
        <Route path="admin/entries" element={admin("entries")} />
        <Route path="admin/uploads" element={admin("uploads")} />
        <Route path="admin/reevaluations" element={admin("reevaluations")} />
        <Route path="admin/reevaluations/new" element={admin("new-reevaluation")} />
        <Route path="admin/reevaluations/:id" element={admin("reevaluation")} />
        <Route path="admin/boards" element={admin("boards")} />
        <Route path="admin/seasons" element={admin("seasons")} />
        <Route path="admin/audit" element={admin("audit")} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
