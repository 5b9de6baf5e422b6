/** Who is on the other side of a request. */
import type { Session, User } from "./definition.ts";

/** Where a request came from; written beside what it made. */
export interface RequestOrigin {
  readonly client_ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string;
}

/** A person in front of a browser who has signed in. */
export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}
