import type { ProcessFigures } from "../../records/names/process_figures.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { listKeys } from "../records/signing_keys.ts";
import { isRotationDue } from "./housekeeping.ts";
import { oneAddress } from "./one_address.ts";

/** `caution`: works, but needs attention. `failure`: does not work, at least for some users. */
type Mark = "fine" | "caution" | "failure";

interface Health {
  readonly database: { readonly mark: Mark; readonly milliseconds: number };
  /** `seconds`: how long the current key has been signing; undefined if no key signs. */
  readonly signing_key: { readonly mark: Mark; readonly seconds: number | undefined };
  /** The private IP address from which all clients seem to come, probably a proxy that is not trusted. */
  readonly addresses?: { readonly mark: "caution"; readonly address: string };
  readonly hashing?: { readonly mark: Mark; readonly waiting: number };
  /**
   * `off`: the server cannot send email. `missed`: in addition, users may set up second factors, and
   * recovering lost ones requires email.
   */
  readonly mail?:
    | "off"
    | "missed"
    | { readonly mark: Mark; readonly waiting: number; readonly failed: number };
  /** `seconds`: how long ago expired rows were last deleted; undefined if that has not happened yet. */
  readonly sweep?: { readonly mark: Mark; readonly seconds: number | undefined };
}

/** In milliseconds. If the database responds more slowly, its state is `caution`. */
const slowDatabase = 500;
/**
 * Expired rows are deleted every second, but a run may take long. If the last run ended more than this many
 * seconds ago, the state is `caution`.
 */
const staleSweep = 300;
const manyMails = 100;

/** Returns the health of the server as this process sees it. */
export async function healthOf(
  context: Pick<AdminContext, "actor" | "store" | "now" | "issuer" | "switches">,
  figures: ProcessFigures | undefined,
): Promise<Health> {
  await requirePlatform(context);
  const [database, signing_key, one] = await Promise.all([
    databaseHealth(context),
    keyHealth(context),
    oneAddress(context.store, context.now(), context),
  ]);
  const known = {
    database,
    signing_key,
    ...(one && { addresses: { mark: "caution", address: one.address } as const }),
  };
  if (figures === undefined) return known;
  const { hashing, mail } = figures;
  return {
    ...known,
    hashing: { mark: queueMark(hashing), waiting: hashing.waiting },
    mail:
      mail === undefined
        ? context.switches.extra_sign_in?.length
          ? "missed"
          : "off"
        : { mark: mailMark(mail), waiting: mail.waiting, failed: mail.failed },
    sweep: sweepHealth(figures, context.now()),
  };
}

async function databaseHealth({
  store,
  now,
}: Pick<AdminContext, "store" | "now">): Promise<Health["database"]> {
  const requested = now().getTime();
  try {
    await store.ping();
  } catch {
    return { mark: "failure", milliseconds: now().getTime() - requested };
  }
  const milliseconds = now().getTime() - requested;
  return { mark: milliseconds > slowDatabase ? "caution" : "fine", milliseconds };
}

async function keyHealth(context: Pick<AdminContext, "store" | "now">): Promise<Health["signing_key"]> {
  const now = context.now();
  const keys = await listKeys(context);
  const signing = keys.find(({ state }) => state === "signing");
  if (signing === undefined) return { mark: "failure", seconds: undefined };
  const seconds = Math.floor((now.getTime() - signing.activates_at.getTime()) / 1000);
  return { mark: isRotationDue(keys, now) ? "caution" : "fine", seconds };
}

/** If the queue of password hashes is full, further sign-ins are refused. */
function queueMark({ waiting, most_waiting }: ProcessFigures["hashing"]): Mark {
  if (waiting >= most_waiting && most_waiting > 0) return "failure";
  return waiting * 2 > most_waiting ? "caution" : "fine";
}

function mailMark({ failing, waiting }: NonNullable<ProcessFigures["mail"]>): Mark {
  if (failing) return "failure";
  return waiting > manyMails ? "caution" : "fine";
}

function sweepHealth({ swept_at, started_at }: ProcessFigures, now: Date): NonNullable<Health["sweep"]> {
  const seconds = Math.floor((now.getTime() - (swept_at ?? started_at).getTime()) / 1000);
  return {
    mark: seconds > staleSweep ? "caution" : "fine",
    seconds: swept_at === undefined ? undefined : seconds,
  };
}
