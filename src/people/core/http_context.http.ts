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
  readonly authenticators: readonly Authenticator[];
}

interface AuthenticatorContext {
  readonly at: Occasion;
  readonly user: User;
  readonly request: FastifyRequest;
  /** The CSRF token at sign-in, and the session ID on the sudo page. Passkey challenges are bound to it. */
  readonly holder: string;
  readonly half?: HalfSignIn | undefined;
  readonly signedIn?: SignedIn | undefined;
  readonly enrolled?: EnrolledMethods;
}

type Occasion = "sign_in" | "sudo";

interface AuthenticatorRequest extends AuthenticatorContext {
  readonly locale: PageLocale;
  readonly error?: FactorError | undefined;
}

interface AuthenticatorGiven extends AuthenticatorContext {
  /**
   * The value of the authenticator's field; undefined if it is empty, for example because the user pressed
   * the button `sends`.
   */
  readonly answer: string | undefined;
}

interface AuthenticatorPart {
  readonly html: Html;
  readonly button?: boolean;
}

interface CardRequest {
  readonly signedIn: SignedIn;
  readonly page: PageLocale;
  readonly csrf_token: string;
  readonly request: FastifyRequest;
}

/**
 * One kind of proof: a second factor at sign-in, or any proof before a sensitive action (sudo). To add a
 * kind, add a folder with an object of this type and a line in `authenticators/all_authenticators.http.ts`.
 */
export interface Authenticator {
  readonly kind: MethodKind;
  /**
   * The name of the proof's field in each form (`Occasion`). The kind is not offered in a form for which it
   * has no field.
   */
  readonly fields: Readonly<Partial<Record<Occasion, string>>>;
  /**
   * The name of a button on the sudo page that requests a prerequisite of the proof, such as a mailed code.
   */
  readonly sends?: string;
  /**
   * True if the proof can be guessed. Each attempt then counts toward the limit of the account (L-10, MF-4).
   */
  readonly guessable: boolean;
  /**
   * A URL with the scheme of the pages to which the proof redirects. The page's content security policy
   * allows this scheme for any host.
   */
  readonly leads_to?: string;
  /**
   * Returns the authenticator's part of the form; undefined if it is unavailable to this user or on this
   * server.
   */
  part(requested: AuthenticatorRequest, context: HttpContext): Promise<AuthenticatorPart | undefined>;
  /**
   * Checks the submitted proof; returns `asked` if the user requested its prerequisite. Throws an
   * `OverloadedError` if too many hashes are waiting.
   */
  prove(input: AuthenticatorGiven, context: HttpContext): Promise<FactorProof | "asked">;
  /**
   * For a proof that the user gives at a provider: stores the pending form and redirects the user. Returns
   * false, without a response, if the form does not name a provider.
   */
  leave?(
    input: AuthenticatorGiven,
    form: SavedForm,
    reply: FastifyReply,
    context: HttpContext,
  ): Promise<boolean>;
  /**
   * Stores a verified second factor of this kind; absent if this kind cannot be enrolled as a second factor.
   */
  readonly store?: StoreFactor;
  /**
   * Returns the card with the user's factors of this kind for the security page; undefined if there is
   * nothing to show.
   */
  card?(requested: CardRequest, context: HttpContext): Promise<Html | undefined>;
  /** Returns invisible data for every account page, such as the user's valid passkeys (PK-10). */
  signal?(signedIn: SignedIn, context: HttpContext): Promise<Html | undefined>;
}
