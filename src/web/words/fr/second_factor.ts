import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "Seconde étape",
  lead: (email) => html`Confirmez une nouvelle fois qu’il s’agit bien de vous, ${email}.`,
  submit: "Continuer",
  cancel: "Annuler",
  others: "Autres méthodes",
  lost: "Je les ai tous perdus",
  ways: {
    passkey: "Utiliser une clé d’accès",
    totp: "Utiliser une application d’authentification",
    recovery_code: "Utiliser un code de récupération",
    mail_code: "Utiliser un code par e-mail",
  },
  totp: {
    label: "Code de votre application d’authentification",
    help: "Les 6 chiffres que l’application affiche actuellement.",
    wrong:
      "Ce code est incorrect ou a déjà été utilisé. Saisissez celui que l’application affiche actuellement.",
    late: "Ce code date de quelques minutes : l’horloge de votre appareil est décalée. Laissez votre appareil régler l’heure automatiquement, puis saisissez un nouveau code.",
  },
  recoveryCode: {
    label: "Code de récupération",
    help: "L’un des codes de 16 caractères que vous avez conservés. Chacun fonctionne une fois.",
    wrong: "Ce n’est pas l’un de vos codes de récupération, ou il a déjà été utilisé.",
  },
  remember: {
    label: plural({
      one: (figure) => `Ne pas demander sur cet appareil pendant ${figure} jour`,
      other: (figure) => `Ne pas demander sur cet appareil pendant ${figure} jours`,
    }),
    help: "Uniquement sur un appareil personnel. Votre mot de passe reste demandé.",
  },
  passkey: { none: "Aucune de vos clés d’accès ne fonctionne ici. Choisissez une autre méthode." },
  ended: {
    title: "Trop de codes incorrects",
    lead: "Pour votre sécurité, cette connexion a été interrompue. Recommencez avec votre mot de passe.",
    again: "Se reconnecter",
  },
  used: {
    title: "Vous êtes connecté",
    advice:
      "Si vous avez perdu votre application d’authentification, supprimez-la et ajoutez-en une autre. De nouveaux codes remplacent ceux que vous avez.",
    security: "Sécurité de votre compte",
    goOn: "Continuer",
  },
};
