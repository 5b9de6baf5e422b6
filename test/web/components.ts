import { type Html, html } from "../../src/web/html.ts";
import { layout, mark } from "../../src/web/layout.ts";
import { plot } from "../../src/web/plot.ts";
import { portrait } from "../../src/web/portrait.ts";
import type { Reader } from "../../src/web/words/reader.ts";
import { aReader } from "./reader.ts";

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

const examplePlot = plot({
  title: "Tokens issued, last 24 hours",
  summary: "Bars for each of 24 hours; the most, 384 tokens, at 14:00",
  moment_label: "Hour",
  moments: hours,
  series: [
    { name: "Code", values: hours.map((_, hour) => Math.round(140 + 110 * Math.sin((hour - 7) / 4))) },
    { name: "Refresh", values: hours.map((_, hour) => Math.round(70 + 40 * Math.sin((hour - 9) / 3))) },
    { name: "Client credentials", values: hours.map((_, hour) => (hour % 3 === 0 ? 24 : 12)) },
  ],
  table_label: "The same as a table",
  format: (value) => value.toLocaleString("en"),
});

const apps = [
  {
    name: "Acme Orders",
    client_id: "acme-orders",
    type: "web",
    state: "success",
    word: "Active",
    tokens: 12_804,
  },
  {
    name: "Acme Mobile",
    client_id: "acme-mobile",
    type: "native",
    state: "caution",
    word: "Secret expires",
    tokens: 3312,
  },
  {
    name: "Nightly Export",
    client_id: "nightly-export",
    type: "machine",
    state: "failure",
    word: "Revoked",
    tokens: 0,
  },
  {
    name: "Old Intranet",
    client_id: "old-intranet",
    type: "web",
    state: "quiet",
    word: "Inactive",
    tokens: 7,
  },
] as const;

const table = html`<table class="table" role="table">
<caption>Applications of Acme</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Name</th><th role="columnheader" scope="col">Client</th><th role="columnheader" scope="col">State</th><th class="number" role="columnheader" scope="col">Live tokens</th></tr></thead>
<tbody role="rowgroup">${apps.map(
  ({ name, client_id, type, state, word, tokens }) =>
    html`<tr role="row"><th role="rowheader" scope="row"><a href="#">${name}</a></th><td role="cell" data-label="Client"><span><code>${client_id}</code> <span class="badge">${type}</span></span></td><td role="cell" data-label="State"><span><span class="badge badge-${state}">${word}</span></span></td><td class="number" role="cell" data-label="Live tokens">${tokens.toLocaleString("en")}</td></tr>`,
)}</tbody>
</table>`;

/** Every component of the style sheet that account and console are made of, on one page in the frame of the console. */
export function componentsPage(reader: Reader = aReader()): Html {
  return layout({
    ...reader,
    nav: html`<nav class="site-nav" aria-label="Main"><ul><li><a href="#">Dashboard</a></li><li><a href="#" aria-current="page">Apps</a></li><li><a href="#">People</a></li><li><a href="#">Organizations</a></li><li><a href="#">Audit</a></li></ul></nav>`,
    title: "Components",
    width: "wide",
    body: html`<div class="workspace">
<nav class="crumbs" aria-label="Breadcrumb"><ol class="crumbs"><li><a href="#">Acme</a></li><li><a href="#">Apps</a></li><li>Acme Orders</li></ol></nav>
<div class="page-head"><div class="person">${portrait({ name: "Acme Orders", kind: "client" })}<div><h1>Acme Orders</h1><p class="quiet">Web application of Acme</p></div></div>
<div class="actions"><a class="button" href="#">Try it</a><a class="button primary" href="#">Edit</a></div></div>
<nav class="tabs" aria-label="Parts of this app"><ul><li><a href="#" aria-current="page">Overview</a></li><li><a href="#">Secrets</a></li><li><a href="#">Tokens</a></li><li><a href="#">Snippets</a></li></ul></nav>
<div class="notice notice-success" role="status">The app was changed.</div>
<dl class="figures"><div><dt>Tokens issued today</dt><dd class="figure-value">16,123</dd><dd class="quiet">4 % more than yesterday</dd></div><div><dt>Sign-ins</dt><dd class="figure-value">842</dd><dd><span class="badge badge-success">healthy</span></dd></div><div><dt>Refused</dt><dd class="figure-value">31</dd><dd><span class="badge badge-failure">more than usual</span></dd></div></dl>
<section class="card">${examplePlot}</section>
<form class="filters" role="search" action="#"><div class="field"><label for="words">Search</label><input id="words" name="words" type="search"></div><div class="field"><label for="state">State</label><select id="state" name="state"><option>Any</option><option>Active</option></select></div><button class="button" type="submit">Search</button></form>
${table}
<nav class="pages" aria-label="Pages"><span>1 to 4 of 1,204</span><span class="actions"><a class="button small" href="#" rel="prev">Newer</a><a class="button small" href="#" rel="next">Older</a></span></nav>
<section class="card"><h2>Redirect addresses</h2>
<form action="#" method="post"><div class="field"><label for="uris">Redirect URIs</label><textarea id="uris" name="uris" aria-invalid="true" aria-describedby="uris-help uris-error">http://orders.example/cb</textarea><p class="help" id="uris-help">One to a line, compared character by character.</p><p class="field-error" id="uris-error">must be https unless it is a loopback address</p></div>
<fieldset><legend>Grants</legend><label class="check"><input type="checkbox" name="grant" value="auth_code" checked><span>Authorization code <span class="help">for people in a browser</span></span></label><label class="check"><input type="checkbox" name="grant" value="client_credentials"><span>Client credentials <span class="help">for machines</span></span></label></fieldset>
<div class="actions"><button class="button primary" type="submit">Save</button><a class="button" href="#">Cancel</a><button class="button danger" type="submit">Delete this app</button></div></form></section>
<section class="card"><h2>The new secret</h2><div class="notice notice-caution">It is shown this once. Keep it where the application can read it.</div><div class="secret"><code>pst_secret_01JD3W6F7QXN4YV8E2TB5KZC9M</code><button class="button small" type="button">Copy</button></div></section>
<div class="empty">${mark}<h2>No API keys yet</h2><p class="lead">A key lets a program manage what you may manage.</p><a class="button primary" href="#">Create a key</a></div>
</div>`,
  });
}

/** The page before what cannot be undone: a page of its own in place of a dialogue. */
export function consequencePage(reader: Reader = aReader()): Html {
  return layout({
    ...reader,
    title: "Delete Acme Orders?",
    body: html`<section class="card"><h1>Delete Acme Orders?</h1><p class="lead">This cannot be undone.</p>
<ul class="consequences"><li>12,804 tokens end at once</li><li>318 people are signed out of it</li><li>2 secrets are gone</li></ul>
<form action="#" method="post"><div class="field"><label for="name">Type <code>acme-orders</code> to confirm</label><input id="name" name="name" autocomplete="off"></div>
<div class="decisions"><a class="button" href="#">Keep it</a><button class="button danger primary" type="submit">Delete</button></div></form></section>`,
  });
}
