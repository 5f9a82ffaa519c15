import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  server: {
    host: "127.0.0.1",
    proxy: { "/api": api, "/openapi.json": api, "/guide/pictures": api },
  },
  build: {
    // nothing inline: the page runs under a strict content security policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
