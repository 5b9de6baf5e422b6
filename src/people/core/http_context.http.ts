/** The parts that the routes of people, of the console and of the API work with. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ShellContext } from "../../http/context.ts";
import type { User } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { EnrolledMethods, MethodKind } from "../../records/names/sign_in_methods.ts";
import type { Html } from "../../web/html/html.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { IdentityContext } from "./context/context.ts";
import type { StoreFactor } from "./enrolled_factor.ts";
import type { FactorError, FactorProof } from "./factor_proof.ts";
import type { HalfSignIn } from "./half_sign_in.ts";
import type { SavedForm } from "./saved_forms.ts";

export interface HttpContext extends ShellContext {
  readonly identity: IdentityContext;
  /** Every kind of proof, in the order in which pages show them. */
  readonly authenticators: readonly Authenticator[];
}

/** A person who has to give a proof: after the first factor of a sign-in, or before a sensitive action. */
interface AuthenticatorContext {
  readonly at: Occasion;
  readonly user: User;
  readonly request: FastifyRequest;
  /** A secret of this browser, which a passkey challenge is bound to. */
  readonly holder: string;
  /** The first half of a sign-in; undefined for a person who is signed in. */
  readonly half?: HalfSignIn | undefined;
  /** The session of the sudo page. */
  readonly signedIn?: SignedIn | undefined;
  /** The factors of that session's user. */
  readonly enrolled?: EnrolledMethods;
}

type Occasion = "sign_in" | "sudo";

interface AuthenticatorRequest extends AuthenticatorContext {
  readonly locale: PageLocale;
  /** Why the last proof proved nothing. */
  readonly error?: FactorError | undefined;
}

interface AuthenticatorGiven extends AuthenticatorContext {
  /** The content of its field; undefined if another button of its part was pressed. */
  readonly answer: string | undefined;
}

/** Its part of a form. */
interface AuthenticatorPart {
  readonly html: Html;
  /** A button that continues, with nothing to fill in. */
  readonly button?: boolean;
}

/** A person viewing their sign-in methods. */
interface CardRequest {
  readonly signedIn: SignedIn;
  readonly page: PageLocale;
  readonly csrf_token: string;
  readonly request: FastifyRequest;
}

/**
 * One kind of proof. Sign-in uses it for second factors, sudo for any proof, and the security page shows its
 * card. To add a kind, add a folder with an object of this type and a line in
 * `authenticators/all_authenticators.http.ts`.
 */
export interface Authenticator {
  readonly kind: MethodKind;
  /** The name of the proof's field; kinds without a field are not offered in a form. */
  readonly fields: Readonly<Partial<Record<Occasion, string>>>;
  /** A button of the sudo page that requests a prerequisite of the proof. */
  readonly sends?: string;
  /** It can be guessed, so an attempt counts for the account (L-10, MF-4). */
  readonly guessable: boolean;
  /** An address of the scheme of the places that it leads to, for the page's policy; none if absent. */
  readonly leads_to?: string;
  /** Its part of the form; undefined if it is not open to this person, or does not work on this server. */
  part(requested: AuthenticatorRequest, context: HttpContext): Promise<AuthenticatorPart | undefined>;
  /** The submitted proof; `asked` if the person requested its prerequisite. Throws an `OverloadedError`. */
  prove(input: AuthenticatorGiven, context: HttpContext): Promise<FactorProof | "asked">;
  /**
   * Of a proof that is given on other pages: sends the person there and keeps the form that waits. False if
   * the form names no place to go to; nothing has been answered then.
   */
  leave?(
    input: AuthenticatorGiven,
    form: SavedForm,
    reply: FastifyReply,
    context: HttpContext,
  ): Promise<boolean>;
  /** Stores a second factor of this kind once its user has recovery codes; absent if none is enrolled. */
  readonly store?: StoreFactor;
  /** The person's factors of this kind, on the security page; undefined if there is nothing to show. */
  card?(requested: CardRequest, context: HttpContext): Promise<Html | undefined>;
  /** Invisible data on each page of the account, such as the valid passkeys (PK-10). */
  signal?(signedIn: SignedIn, context: HttpContext): Promise<Html | undefined>;
}
