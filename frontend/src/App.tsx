import { Suspense, lazy } from "react";
import { Route, Routes } from "react-router";

import { Layout } from "./components/Layout";
import { AccountPage } from "./pages/account/AccountPage";
import { ResetPage } from "./pages/account/ResetPage";
import { SignInPage } from "./pages/account/SignInPage";
import { SignUpPage } from "./pages/account/SignUpPage";
import { BoardPage } from "./pages/board/BoardPage";
import { CellPage } from "./pages/CellPage";
import { HomePage } from "./pages/HomePage";
import { NotFoundPage } from "./pages/NotFoundPage";
import { StatusPage } from "./pages/status/StatusPage";
import { SubmissionPage } from "./pages/submission/SubmissionPage";
import { SubmissionsPage } from "./pages/SubmissionsPage";

const PaperPage = lazy(async () => ({ default: (await import("./pages/paper/PaperPage")).PaperPage }));

const ChartsPage = lazy(async () => ({ default: (await import("./pages/charts/ChartsPage")).ChartsPage }));

const ComparePage = lazy(async () => ({ default: (await import("./pages/compare/ComparePage")).ComparePage }));

/** Every page and its address. */
export function App() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomePage />} />
        <Route path="boards/:dataset/:scenario" element={<BoardPage />} />
        <Route
          path="boards/:dataset/:scenario/table"
          element={
            <Suspense fallback={<Reading />}>
              <PaperPage />
            </Suspense>
          }
        />
        <Route
          path="boards/:dataset/:scenario/charts"
          element={
            <Suspense fallback={<Reading />}>
              <ChartsPage />
            </Suspense>
          }
        />
        <Route
          path="compare"
          element={
            <Suspense fallback={<Reading />}>
              <ComparePage />
            </Suspense>
          }
        />
        <Route path="submissions" element={<SubmissionsPage />} />
        <Route path="submissions/:id" element={<SubmissionPage />} />
        <Route path="cells/:id" element={<CellPage />} />
        <Route path="status" element={<StatusPage />} />
        <Route path="account" element={<AccountPage />} />
        <Route path="account/sign-in" element={<SignInPage />} />
        <Route path="account/sign-up" element={<SignUpPage />} />
        <Route path="account/reset" element={<ResetPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

/** While the code of a page is on its way. */
function Reading() {
  return (
    <p className="loading" role="status">
      Reading the page …
    </p>
  );
}
