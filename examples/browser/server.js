/**
 * Serves the page and the modules that it imports, in place of a bundler. `ISSUER` and `PORT` replace the
 * addresses in `main.js`.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 8080);
const issuer = process.env.ISSUER ?? "http://localhost:3000";
const origin = `http://localhost:${port}`;

const read = (address) => readFileSync(new URL(address), "utf8");
const here = (name) => read(import.meta.resolve(`./${name}`));
const library = (name) => read(import.meta.resolve(name));
const resolved = (text) => text.replace(/from ?"(oidc-client-ts|jwt-decode)"/g, 'from "/$1.js"');

const html = "text/html; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";
const main = here("main.js")
  .replaceAll("http://localhost:3000", issuer)
  .replaceAll("http://localhost:8080", origin);
const files = new Map([
  ["/", [html, here("index.html")]],
  ["/index.html", [html, here("index.html")]],
  ["/main.js", [javascript, resolved(main)]],
  ["/oidc-client-ts.js", [javascript, resolved(library("oidc-client-ts"))]],
  ["/jwt-decode.js", [javascript, library("jwt-decode")]],
]);

createServer((request, response) => {
  const found = files.get(new URL(request.url, origin).pathname);
  if (found === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": found[0] }).end(found[1]);
}).listen(port, "127.0.0.1", () => console.log(`Open ${origin}/`));
