import type { FastifyRequest } from "fastify";
import type { HttpContext } from "../../../http/context.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { FactorKind } from "../../../records/definition/factor_kinds.ts";
import type { Html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";
import type { FactorProof } from "./factor_proof.ts";
import type { FactorFault } from "./second_factor.page.ts";

/** A person who is asked for a second factor. */
interface FactorAsked {
  readonly user: User;
  /** Undefined for somebody who is signed in and steps up. */
  readonly half: HalfSignIn | undefined;
  readonly request: FastifyRequest;
  readonly locale: PageLocale;
  /** For the form of the page. */
  readonly csrf_token: string;
  /** The page with the same question. */
  readonly here: string;
  /** Why the last one proved nothing. */
  readonly fault?: FactorFault | undefined;
}

/** What came with the form. */
interface FactorGiven {
  readonly user: User;
  readonly half: HalfSignIn | undefined;
  readonly params: Params;
  readonly request: FastifyRequest;
}

/** One kind of second factor on its page. Another one is an entry of `ways/all_ways.ts`. */
export interface FactorWay {
  readonly kind: FactorKind;
  /** Its part of the form; undefined where it does not work on this server. */
  part(asked: FactorAsked, context: HttpContext): Promise<Html | undefined>;
  /** Throws an OverloadedError. */
  prove(given: FactorGiven, context: HttpContext): Promise<FactorProof>;
}
