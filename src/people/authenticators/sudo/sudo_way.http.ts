import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "../../../http/context.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { EnrolledMethods, MethodKind, SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { Html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { KeptForm } from "../../core/kept_forms.ts";
import type { Spend } from "../../core/sessions.ts";

/** A person who is asked to prove themselves once more. */
interface SudoAsked {
  readonly signedIn: SignedIn;
  readonly enrolled: EnrolledMethods;
  /** The kinds that would do, of those that this way proves. */
  readonly kinds: readonly MethodKind[];
  readonly locale: PageLocale;
  readonly request: FastifyRequest;
}

/** What came with the form of the sudo page. */
interface SudoGiven {
  readonly signedIn: SignedIn;
  readonly enrolled: EnrolledMethods;
  /** The proof alone: the fields of this way. */
  readonly proof: Params;
  readonly request: FastifyRequest;
}

/** A proof that is right. */
export interface SudoProved {
  readonly method: SignInMethod;
  /** Uses up what was given, in the commit that adds the proof to the session. */
  readonly spend?: Spend;
  /** What follows once it is spent. */
  readonly told?: () => void;
}

/** One way to prove oneself before something sensitive. Another one is an entry of `ways/all_ways.ts`. */
export interface SudoWay {
  /** The proofs that it gives. */
  readonly kinds: readonly MethodKind[];
  /** The names of its fields, which begin with `sudo_`. Empty where the proof is given on other pages. */
  readonly fields: readonly string[];
  /** It can be guessed, so that a try counts as one at the account (L-10). */
  readonly guessable: boolean;
  /** An address of the scheme of the places that it leads to, for the page's policy; none where absent. */
  readonly leads_to?: string;
  /**
   * Its part of the form of the sudo page, with `wrong` after a proof that was not right; undefined where it
   * is not open to this person.
   */
  part(asked: SudoAsked, wrong: boolean, context: HttpContext): Promise<Html | undefined>;
  /** Whether its part is a button by which the person goes on, and nothing to fill in; no where absent. */
  isButton?(asked: SudoAsked, context: HttpContext): Promise<boolean>;
  /**
   * The proof that was given; `wrong` where it is none, `asked` where the person asked for what they need to
   * give it. Throws an `OverloadedError`.
   */
  prove(given: SudoGiven, context: HttpContext): Promise<SudoProved | "wrong" | "asked">;
  /**
   * Of a proof that is given elsewhere: sends the person there and keeps the form that waits. False where the
   * form names no place to go to; nothing has been answered then.
   */
  leave?(given: SudoGiven, form: KeptForm, reply: FastifyReply, context: HttpContext): Promise<boolean>;
}
