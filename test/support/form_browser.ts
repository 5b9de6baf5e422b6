/**
 * A browser reduced to forms: it keeps cookies, shows pages and submits their forms, but follows no redirect
 * automatically.
 */

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The target of a redirect, as an absolute URL. */
  readonly location: string | undefined;
}

type Fields = Readonly<Record<string, string>>;

export interface FormBrowser {
  /** The last value of each cookie, by name. */
  readonly cookies: Map<string, string>;
  get(url: string): Promise<Page>;
  post(url: string, fields: Fields): Promise<Page>;
  /** Submits the page's form: its hidden fields, and the given values. */
  submit(page: Page, fields: Fields): Promise<Page>;
  /** Follows redirects as long as they stay at the origin of `page`. */
  follow(page: Page): Promise<Page>;
}

export function formBrowser(): FormBrowser {
  const cookies = new Map<string, string>();

  async function send(url: string, fields?: Fields): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", ...(cookie !== "" && { cookie }) },
      ...(fields !== undefined && { method: "POST", body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      if (/;\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      location: location === null ? undefined : new URL(location, url).href,
    };
  }

  async function follow(page: Page): Promise<Page> {
    let at = page;
    for (let steps = 0; steps < 10; steps++) {
      if (at.location === undefined || new URL(at.location).origin !== new URL(at.url).origin) return at;
      at = await send(at.location);
    }
    throw new Error(`a loop of redirects: ${at.url}`);
  }

  return {
    cookies,
    get: (url) => send(url),
    post: (url, fields) => send(url, fields),
    submit(page, fields) {
      // The frame also has a form, which sets how names are shown.
      const action = /<form [^>]*method="post" action="((?!\/console\/view)[^"]*)"/.exec(mainOf(page))?.[1];
      if (action === undefined)
        throw new Error(`no form on the page ${page.status} ${page.url}: ${page.body}`);
      return send(new URL(unescaped(action), page.url).href, { ...hiddenFields(page), ...fields });
    },
    follow,
  };
}

/** Returns the page without its frame, which has its own forms. */
function mainOf({ body }: Page): string {
  return body.slice(Math.max(0, body.indexOf("<main")));
}

function hiddenFields(page: Page): Record<string, string> {
  const inputs = mainOf(page).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries(
    [...inputs].map(([, name = "", value = ""]) => [unescaped(name), unescaped(value)]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Return whether a page is the login page, or the consent page. */
export const isLoginPage = ({ status, body }: Page): boolean =>
  status === 200 && body.includes('name="password"');
export const isConsentPage = ({ status, body }: Page): boolean =>
  status === 200 && body.includes('name="decision"');

/**
 * Opens an authorization request and follows its pages, including sign-in and consent, until the browser is
 * redirected to another origin; returns that URL. Fails on any unknown page.
 */
export async function goThrough(
  browser: FormBrowser,
  url: string | URL,
  person: Person,
  decision: "allow" | "deny" = "allow",
): Promise<URL> {
  let page = await browser.follow(await browser.get(String(url)));
  if (isLoginPage(page)) {
    const { email, password } = person;
    page = await browser.follow(await browser.submit(page, { email, password }));
  }
  if (isConsentPage(page)) page = await browser.follow(await browser.submit(page, { decision }));
  if (page.location === undefined)
    throw new Error(`the flow ended on a page: ${page.status} ${page.url}\n${page.body}`);
  return new URL(page.location);
}
