import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";

import { makeQueryClient } from "./api/queries";
import { App } from "./App";
import "./style/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html: found no element #root");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient()}>
      {/* an address is followed at once: in slices, sorting a table would wait for its turn */}
      <BrowserRouter useTransitions={false}>
        <App />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
