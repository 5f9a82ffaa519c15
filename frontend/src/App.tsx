import { Route, Routes } from "react-router";

import { Layout } from "./components/Layout";
import { BoardPage } from "./pages/board/BoardPage";
import { CellPage } from "./pages/CellPage";
import { HomePage } from "./pages/HomePage";
import { NotFoundPage } from "./pages/NotFoundPage";
import { StatusPage } from "./pages/status/StatusPage";
import { SubmissionPage } from "./pages/submission/SubmissionPage";
import { SubmissionsPage } from "./pages/SubmissionsPage";

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
        <Route path="status" element={<StatusPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
