import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const impactWords: ImpactWords = {
  atLeast: (figure) => `au moins ${figure}`,
  kinds: {
    tokens: counted("jeton expire immédiatement", "jetons expirent immédiatement"),
    people: counted("personne perd l’accès", "personnes perdent l’accès"),
    sessions: counted("session de navigateur est fermée", "sessions de navigateur sont fermées"),
    consents: counted("autorisation est retirée", "autorisations sont retirées"),
    secrets: counted("secret ne fonctionne plus", "secrets ne fonctionnent plus"),
    apps: counted("application ne fonctionne plus", "applications ne fonctionnent plus"),
    members: counted("personne n’est plus membre", "personnes ne sont plus membres"),
    key_pairs: counted("paire de clés ne fonctionne plus", "paires de clés ne fonctionnent plus"),
    api_keys: counted("clé API ne fonctionne plus", "clés API ne fonctionnent plus"),
    service_accounts: counted(
      "compte de service ne fonctionne plus",
      "comptes de service ne fonctionnent plus",
    ),
    linked_accounts: counted("compte associé est oublié", "comptes associés sont oubliés"),
    passkeys: counted("clé d’accès est supprimée", "clés d’accès sont supprimées"),
    authenticator_apps: counted(
      "application d’authentification est supprimée",
      "applications d’authentification sont supprimées",
    ),
    recovery_codes: counted(
      "code de récupération ne fonctionne plus",
      "codes de récupération ne fonctionnent plus",
    ),
    apis: counted("API est désactivée", "API sont désactivées"),
    providers: counted("fournisseur est désactivé", "fournisseurs sont désactivés"),
    invitations: counted("invitation est retirée", "invitations sont retirées"),
    holders: counted("membre perd le rôle", "membres perdent le rôle"),
    groups: counted("groupe ne donne plus le rôle", "groupes ne donnent plus le rôle"),
    group_members: counted("membre quitte le groupe", "membres quittent le groupe"),
    left_groups: counted("groupe perd ce membre", "groupes perdent ce membre"),
  },
};
