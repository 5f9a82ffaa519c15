import { Suspense, lazy } from "react";
import { Outlet, Route, Routes } from "react-router";

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

const SubmitPage = lazy(async () => ({
  default: (await import("./pages/submit/SubmitPage")).SubmitPage,
}));
const MinePage = lazy(async () => ({ default: (await import("./pages/mine/MinePage")).MinePage }));

/** Pages whose code is read when one is opened. */
function Later() {
  return (
    <Suspense
      fallback={
        <p className="loading" role="status">
          Reading the page …
        </p>
      }
    >
      <Outlet />
    </Suspense>
  );
}

/** Every page and its address. */
export function App() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomePage />} />
        <Route path="boards/:dataset/:scenario" element={<BoardPage />} />
        <Route path="submissions" element={<SubmissionsPage />} />
        <Route path="submissions/:id" element={<SubmissionPage />} />
        <Route path="cells/:id" element={<CellPage />} />
        <Route element={<Later />}>
          <Route path="submit" element={<SubmitPage />} />
          <Route path="mine" element={<MinePage />} />
        </Route>
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
