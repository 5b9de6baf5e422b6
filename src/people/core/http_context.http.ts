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
  /** The CSRF token at sign-in, and the session ID on the sudo page. */
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
  /** Undefined if the field is empty, for example because the user pressed the button `sends`. */
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
 * A second factor at sign-in, or any proof before a sensitive action (sudo). A new kind also needs a line in
 * `authenticators/all_authenticators.http.ts`.
 */
export interface Authenticator {
  readonly kind: MethodKind;
  /** The kind is not offered in a form for which it has no field. */
  readonly fields: Readonly<Partial<Record<Occasion, string>>>;
  /**
   * The name of a button on the sudo page that requests a prerequisite of the proof, such as a mailed code.
   */
  readonly sends?: string;
  /** Attempts at a proof that can be guessed count toward the limit of the account (L-10, MF-4). */
  readonly guessable: boolean;
  /** The page's content security policy allows forms to redirect to the scheme of this URL, on any host. */
  readonly leads_to?: string;
  part(requested: AuthenticatorRequest, context: HttpContext): Promise<AuthenticatorPart | undefined>;
  /**
   * Checks the submitted proof; returns `asked` if the user requested its prerequisite. Throws an
   * `OverloadedError` if too many hashes are waiting.
   */
  prove(input: AuthenticatorGiven, context: HttpContext): Promise<FactorProof | "asked">;
  /**
   * Redirects the user to a provider, and stores the pending form; false, without a response, if the form
   * names no provider.
   */
  leave?(
    input: AuthenticatorGiven,
    form: SavedForm,
    reply: FastifyReply,
    context: HttpContext,
  ): Promise<boolean>;
  readonly store?: StoreFactor;
  card?(requested: CardRequest, context: HttpContext): Promise<Html | undefined>;
  /** Returns invisible data for every account page (PK-10). */
  signal?(signedIn: SignedIn, context: HttpContext): Promise<Html | undefined>;
}
