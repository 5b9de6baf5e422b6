/** The parties at the other side of a request. */
import type { Session, User } from "./definition.ts";

/** The origin of a request, written beside the rows that it made. */
export interface RequestOrigin {
  readonly client_ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string;
}

/** A person in front of a browser, signed in. */
export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}
