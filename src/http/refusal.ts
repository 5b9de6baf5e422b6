import { OAuthError, type OAuthErrorCode, type OAuthErrorOptions } from "../errors.ts";
import type { ErrorKind } from "../web/pages/error_page.ts";

/** A refusal that the error page explains to a person in words of its own. */
export class Refusal extends OAuthError {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, code: OAuthErrorCode, description: string, options: OAuthErrorOptions = {}) {
    super(code, description, options);
    this.name = "Refusal";
    this.kind = kind;
  }
}
