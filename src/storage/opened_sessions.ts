/** What becomes of sessions when a credential goes that they rest on. */
import type { Session } from "../records/definition.ts";
import { methodsOf, type SignInMethod, toldAuthentication } from "../records/sign_in_methods.ts";
import type { Database } from "./database.ts";

export function openedSessionRules(database: Database, endSession: (id: string, now: Date) => Promise<void>) {
  return {
    /**
     * Ends every session of a user that rests on a credential that was removed (PK-11). The session `here`
     * goes on where it rests on another proof as well, and holds that one alone from then on. Whether it goes
     * on.
     */
    async endOpenedSessions(
      credential: string,
      user_id: string,
      now: Date,
      here?: Pick<Session, "id">,
    ): Promise<"goes_on" | "ended"> {
      const isOther = (method: SignInMethod) => method.credential !== credential;
      let ended_here = false;
      for (const session of await database.list("sessions", { user_id, ended_at: null })) {
        const methods = methodsOf(session);
        const others = methods.filter(isOther);
        if (others.length === methods.length) continue;
        const told = toldAuthentication(others);
        if (session.id === here?.id && told !== undefined) {
          await database.update("sessions", { id: session.id }, { methods: others, acr: told.acr });
        } else {
          await endSession(session.id, now);
          ended_here ||= session.id === here?.id;
        }
      }
      return ended_here ? "ended" : "goes_on";
    },
  };
}
