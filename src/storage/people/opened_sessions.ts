/** Ends the sessions that depend on a removed sign-in method. */
import type { Session } from "../../records/definition/definition.ts";
import { isActiveSession } from "../../records/names/liveness.ts";
import { authenticationClaims, methodsOf, type SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { Transaction } from "../database/database.ts";

export function openedSessionRules(
  endSessionIn: (tx: Transaction, session: Session, now: Date) => Promise<void>,
) {
  return {
    /**
     * Call it in the transaction that removes the credential and holds the user's lock (PK-11). The session
     * `here` survives if its other sign-in methods suffice.
     */
    async endOpenedSessions(
      tx: Transaction,
      credential: string,
      user_id: string,
      now: Date,
      here?: Pick<Session, "id">,
    ): Promise<"goes_on" | "ended"> {
      const isOther = (method: SignInMethod) => method.credential !== credential;
      let ended_here = false;
      for (const session of await tx.list("sessions", { user_id, ended_at: null })) {
        const methods = methodsOf(session);
        const others = methods.filter(isOther);
        if (others.length === methods.length) continue;
        const claims = authenticationClaims(others);
        if (session.id === here?.id && claims !== undefined) {
          await tx.update("sessions", { id: session.id }, { methods: others, acr: claims.acr });
        } else {
          await endSessionIn(tx, session, now);
          ended_here ||= session.id === here?.id;
        }
      }
      return ended_here ? "ended" : "goes_on";
    },

    /**
     * Call it with the user's lock before changing how the user signs in. An intruder must not be able to
     * make such a change after the session has ended.
     */
    async wasShutOut(
      tx: Pick<Transaction, "find">,
      { id, user_id }: Pick<Session, "id" | "user_id">,
      now: Date,
    ): Promise<boolean> {
      const [user, session] = [await tx.find("users", { id: user_id }), await tx.find("sessions", { id })];
      return user === undefined || session === undefined || !isActiveSession(session, user, now);
    },
  };
}
