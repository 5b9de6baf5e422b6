/** The settings of the generator. The build puts the copy of the documents where `srcDir` says. */
import { defineConfig } from "vitepress";
import { anchorOf } from "../anchor.ts";
import { chapters, pageOf, titleOf, versionOfDocuments } from "../navigation.ts";

/** The HTML of the documents; what else is in angle brackets is a placeholder of its sentence. */
const isHtml = (text: string): boolean => /^<\/?(?:p|img)\b/.test(text);

export default defineConfig({
  title: "Postern",
  description: "An OAuth 2.0 / OpenID Connect authorization server and identity service in one process",
  srcDir: "source",
  outDir: "../../dist/docs",
  cacheDir: "node_modules/.cache/vitepress",
  base: process.env.DOCS_BASE ?? "/",
  markdown: {
    anchor: { slugify: anchorOf },
    config({ renderer, utils }) {
      for (const rule of ["html_inline", "html_block"])
        renderer.rules[rule] = (tokens, at) => {
          const text = tokens[at]?.content ?? "";
          return isHtml(text) ? text : utils.escapeHtml(text);
        };
    },
  },
  ignoreDeadLinks: [/^\/files\//, /^http:\/\/localhost\b/],
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 4096 } },
  themeConfig: {
    search: { provider: "local" },
    outline: "deep",
    nav: [
      { text: "Quickstarts", link: "/" },
      { text: "Operations", link: "/operations" },
      { text: "HTTP", link: "/api" },
      { text: "Decisions", link: "/decisions/" },
      { text: versionOfDocuments(), link: "/CHANGELOG" },
    ],
    sidebar: chapters.map(({ title, documents: each }, at) => ({
      text: title,
      collapsed: at > 1,
      items: each.map((path) => ({
        text: path === "README.md" ? "Start here" : titleOf(path),
        link: `/${pageOf(path).replace(/(?:index)?\.md$/, "")}`,
      })),
    })),
    footer: { message: `Postern ${versionOfDocuments()}. Apache-2.0.` },
  },
});
