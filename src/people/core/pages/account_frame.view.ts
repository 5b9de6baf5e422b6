import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { moment } from "../../../web/moment.ts";
import type { SignedInPerson } from "../../../web/person_menu.ts";
import { type SideLink, sideFrame } from "../../../web/side_frame.ts";
import type { AccountWords } from "../../../web/words/en/account.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

export type AccountPlace = keyof AccountWords["places"];

export type AccountDone = keyof AccountWords["done"];

export type AccountLocale = PageLocale & {
  administers: boolean;
  person: SignedInPerson;
  /** Invisible data for the passkey script (PK-10). */
  signals?: readonly Html[] | undefined;
  /** A pending recovery of second factors (MF-10) or removal of passkeys (MF-15). */
  recovery?: { due_at: Date; lost: "factors" | "passkeys"; csrf_token: string } | undefined;
};

type AccountFrame = AccountLocale & {
  title?: string | undefined;
  here: AccountPlace;
  actions?: Printable;
  lead?: Printable;
  done?: AccountDone | undefined;
  body: Html;
};

const hrefs: Readonly<Record<AccountPlace, string>> = {
  profile: "/account",
  security: "/account/security",
  password: "/account/password",
  sessions: "/account/sessions",
  apps: "/account/apps",
  linked_accounts: "/account/linked-accounts",
  api_keys: "/account/api-keys",
  organizations: "/account/organizations",
};

const sections: readonly { label: keyof AccountWords["sections"]; places: readonly AccountPlace[] }[] = [
  { label: "you", places: ["profile", "security", "password"] },
  { label: "access", places: ["sessions", "apps", "linked_accounts"] },
  { label: "work", places: ["api_keys", "organizations"] },
];

/** Renders an account page. */
export function accountFrame({
  administers,
  person,
  recovery,
  signals = [],
  here,
  title,
  done,
  body,
  ...page
}: AccountFrame): Html {
  const { account: words, frame } = page.words;
  const place = { href: hrefs[here], label: words.places[here] };
  const faces: SideLink[] = [
    { href: "/account", label: frame.account, current: true },
    { href: "/console", label: frame.console },
  ];
  return sideFrame({
    ...page,
    body: html`${recovery && recoveryBanner(recovery, page)}${body}${signals}`,
    title: title ?? place.label,
    nav_label: words.title,
    sections: sections.map(({ label, places }) => ({
      label: words.sections[label],
      links: places.map((each) => ({
        href: hrefs[each],
        label: words.places[each],
        current: each === here,
      })),
    })),
    faces: administers ? faces : [],
    person,
    crumbs: title === undefined ? undefined : [place, { label: title }],
    done: done === undefined ? undefined : words.done[done],
  });
}

function recoveryBanner(
  { due_at, lost, csrf_token }: NonNullable<AccountLocale["recovery"]>,
  { words, language }: PageLocale,
): Html {
  const { banner } = words.recovery;
  const says = lost === "passkeys" ? words.lostPasskey.banner : banner.says;
  return notice(
    "caution",
    html`<p>${says(moment(due_at, "minute", language))}</p><form method="post" action="/account/recovery/cancel">${hiddenFields({ csrf_token })}<div class="actions"><button class="button danger" type="submit">${banner.cancel}</button></div></form>`,
  );
}
