import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout, mark } from "./layout.ts";
import { notice } from "./notice.ts";
import { portrait } from "./portrait.ts";
import { safeHref } from "./safe_href.ts";

export type ConsentScope = {
  name: string;
  /** In human words; without them the scope's own name is shown. */
  description?: string | undefined;
  already_granted: boolean;
};

export type ConsentPage = {
  client: {
    name: string;
    logo_url?: string | null | undefined;
    description?: string | null | undefined;
    owner_name?: string | undefined;
    /** The user has never allowed this client anything. */
    first_time: boolean;
    /** Nobody can assure that the client is who it says (RFC 8252 8.6). */
    unverified: boolean;
  };
  user: { name: string; email: string };
  scopes: readonly ConsentScope[];
  /** Where the browser goes after either decision: an origin, or a scheme. */
  redirect_to: string;
  csrf_token: string;
  /** The sealed request the decision is bound to (requirements A-21). */
  request: string;
  switch_account_href: string;
};

function scopeItem({ name, description, already_granted }: ConsentScope): Html {
  const badge = already_granted && html` <span class="badge">Allowed before</span>`;
  return html`<li><span class="scope-words">${
    description
      ? html`<span>${description}</span><span class="quiet"><code>${name}</code>${badge}</span>`
      : html`<span><code>${name}</code>${badge}</span><span class="quiet">Defined by the service it belongs to</span>`
  }</span></li>`;
}

/** Asks the person: who wants what, as whom, and where the browser goes next (requirements A-20, A-21). */
export function consentPage({
  client,
  user,
  scopes,
  redirect_to,
  csrf_token,
  request,
  switch_account_href,
}: ConsentPage): Html {
  const clientName = html`<bdi class="name">${client.name}</bdi>`;
  return layout({
    title: `Allow ${client.name}?`,
    body: html`<section class="card">
<div class="parties">${portrait({ ...client, kind: "client" })}<span class="path" aria-hidden="true">${mark}</span>${portrait({ name: user.name, kind: "user" })}</div>
<h1 class="centred">Allow ${clientName} to use your account?</h1>
${client.description && html`<p class="lead centred"><bdi>${client.description}</bdi></p>`}
${
  client.unverified &&
  notice(
    "caution",
    html`<p>This application runs on your own device, so its identity cannot be checked. Allow it only if you have just started it yourself.</p>`,
  )
}
<h2>It will be able to</h2>
<ul class="scopes">${scopes.map(scopeItem)}</ul>
<dl class="facts">
<div><dt>As</dt><dd><bdi>${user.name}</bdi> <a href="${safeHref(switch_account_href) ?? "/login"}">Not you?</a><br><bdi class="quiet">${user.email}</bdi></dd></div>
${client.owner_name && html`<div><dt>Registered by</dt><dd><bdi>${client.owner_name}</bdi></dd></div>`}
${client.first_time && html`<div><dt>Before now</dt><dd>Not used with this account</dd></div>`}
<div><dt>You go on to</dt><dd><code>${redirect_to}</code></dd></div>
</dl>
<form method="post" action="/consent">
${hiddenFields({ request, csrf_token })}
<div class="decisions">
<button class="button" type="submit" name="decision" value="deny">Deny</button>
<button class="button primary" type="submit" name="decision" value="allow">Allow</button>
</div>
</form>
</section>`,
  });
}
