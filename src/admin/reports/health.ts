import type { ProcessFigures } from "../../records/names/process_figures.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { listKeys } from "../records/signing_keys.ts";
import { isRotationDue } from "./housekeeping.ts";
import { oneAddress } from "./one_address.ts";

/** `caution`: it works, but needs attention; `failure`: it does not work, or not for all users. */
type Mark = "fine" | "caution" | "failure";

interface Health {
  readonly database: { readonly mark: Mark; readonly milliseconds: number };
  /** `seconds`: how long the key has been signing; undefined if none signs. */
  readonly signing_key: { readonly mark: Mark; readonly seconds: number | undefined };
  /**
   * The single private IP address from which all clients appear to connect; undefined if their addresses
   * differ.
   */
  readonly addresses?: { readonly mark: "caution"; readonly address: string };
  readonly hashing?: { readonly mark: Mark; readonly waiting: number };
  /**
   * `off` if no email can be sent; `missed` if, in addition, users can enroll second factors, whose recovery
   * requires email.
   */
  readonly mail?:
    | "off"
    | "missed"
    | { readonly mark: Mark; readonly waiting: number; readonly failed: number };
  /** `seconds`: time since the last sweep for expired rows; undefined before the first one. */
  readonly sweep?: { readonly mark: Mark; readonly seconds: number | undefined };
}

/** A database that takes longer than this to respond, in milliseconds, slows everything. */
const slowDatabase = 500;
/**
 * Seconds after the last sweep at which the next sweep counts as overdue. Sweeps run every second, but a
 * single one may take a while.
 */
const staleSweep = 300;
const manyMails = 100;

/**
 * Returns the health of the server, as far as this process can see. Throws 403 `forbidden` unless the actor
 * administers the platform.
 */
export async function healthOf(
  context: Pick<AdminContext, "actor" | "store" | "now" | "switches">,
  figures: ProcessFigures | undefined,
): Promise<Health> {
  await requirePlatform(context);
  const [database, signing_key, one] = await Promise.all([
    databaseHealth(context),
    keyHealth(context),
    oneAddress(context.store, context.now()),
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

/** A caller that finds the queue full is refused. */
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
