import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "Vos moyens de connexion et l’activité récente de votre compte.",
  password: {
    have: "Vous pouvez vous connecter avec votre adresse e-mail et un mot de passe.",
    set: "Définir un mot de passe",
    single:
      "Vous n’avez qu’un seul moyen de vous connecter. Si vous le perdez, vous perdez le compte : définissez un mot de passe ou ajoutez un autre moyen.",
  },
  recent: {
    title: "Activité récente",
    none: "Rien n’a encore été enregistré.",
    what: "Événement",
    when: "Date",
    byOther: "Un administrateur",
    kinds: {
      sign_in: "Connexion",
      sign_in_failed: "Échec de connexion",
      password_reset: "Nouveau mot de passe défini par un lien reçu par e-mail",
      password_changed: "Mot de passe modifié",
      email_changed: "Adresse e-mail modifiée",
      "passkey.created": "Clé d’accès ajoutée",
      "passkey.updated": "Clé d’accès renommée",
      "passkey.deleted": "Clé d’accès supprimée",
      "passkey.refused": "Clé d’accès refusée",
      "authenticator_app.created": "Application d’authentification ajoutée",
      "authenticator_app.updated": "Application d’authentification renommée",
      "authenticator_app.deleted": "Application d’authentification supprimée",
      "recovery_codes.created": "Nouveaux codes de récupération",
      "recovery_code.used": "Code de récupération utilisé",
      "linked_account.created": "Compte d’un fournisseur associé",
      "linked_account.deleted": "Compte d’un fournisseur dissocié",
      "user.factors_reset": "Seconds facteurs et clés d’accès réinitialisés",
      "user.factor_removed": "Un second facteur supprimé",
      "device.created": "Navigateur mémorisé",
      "device.deleted": "Navigateur oublié",
      "recovery.created": "Récupération de facteurs perdus demandée",
      "recovery.deleted": "Récupération de facteurs perdus annulée",
      "recovery.finished": "Facteurs perdus supprimés par une récupération",
    },
  },
};
