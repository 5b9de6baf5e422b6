/**
 * If `POSTERN_API_STEP_UP_AGE` is set, sensitive API operations require a recent and sufficiently strong
 * sign-in (SU-7, RFC 9470). Callers with a browser session always need one, as on the pages (SU-6).
 */
import type { FastifyRequest } from "fastify";
import { detail } from "../errors/details.ts";
import { Problem } from "../errors.ts";
import type { User } from "../records/definition/definition.ts";
import {
  type Acr,
  highestAcr,
  isAcr,
  type Lately,
  lately,
  passwordAcr,
  reachesAcr,
} from "../records/names/sign_in_methods.ts";
import type { ShellContext } from "./context.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    sensitive?: boolean;
  }
}

/** 401: the user has to sign in again, or with a stronger method (RFC 9470, section 3). */
export class InsufficientSignIn extends Problem {
  readonly acr: Acr;
  readonly max_age: number;

  constructor(acr: Acr, max_age: number) {
    super("insufficient_user_authentication", detail("sign_in_insufficient", { acr, max_age }));
    this.name = "InsufficientSignIn";
    this.acr = acr;
    this.max_age = max_age;
  }
}

export type LevelLately = (when: Lately) => string | undefined;

/**
 * On a sensitive route, throws `InsufficientSignIn` if the sign-in is older than `age` seconds, or weaker
 * than the user's methods allow. An `age` of 0 allows every sign-in.
 */
export async function requireFreshSignIn(
  user: User,
  { levelLately, age }: { readonly levelLately: LevelLately; readonly age: number },
  request: FastifyRequest,
  { server }: ShellContext,
): Promise<void> {
  if (age === 0 || request.routeOptions.config.sensitive !== true) return;
  const wanted = highestAcr(await server.store.enrolledMethods(user)) ?? passwordAcr;
  const held = levelLately(lately(age * 1000, server.now()));
  if (held !== undefined && isAcr(held) && reachesAcr(held, wanted)) return;
  throw new InsufficientSignIn(wanted, age);
}
