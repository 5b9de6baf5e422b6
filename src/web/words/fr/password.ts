import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "Mot de passe oublié ?",
  forgotTitle: "Mot de passe oublié ?",
  forgotLead:
    "Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.",
  email: "Adresse e-mail",
  sendLink: "Envoyer le lien",
  backToSignIn: "Retour à la connexion",
  outOfDate: "Ce formulaire n’était plus à jour. Veuillez réessayer.",
  emailError: "Saisissez une adresse e-mail, par exemple nom@example.com.",
  tooMany: "Cette demande a été faite trop souvent en peu de temps.",
  askedTitle: "Consultez votre messagerie",
  askedLead: plural({
    one: (figure) =>
      `Si un compte utilise cette adresse, un e-mail vient d’y être envoyé. Le lien qu’il contient fonctionne une fois, pendant ${figure} minute.`,
    other: (figure) =>
      `Si un compte utilise cette adresse, un e-mail vient d’y être envoyé. Le lien qu’il contient fonctionne une fois, pendant ${figure} minutes.`,
  }),
  askedHint:
    "Rien après quelques minutes ? Regardez dans vos courriers indésirables et vérifiez que l’adresse est bien celle de votre compte.",
  askedFor: (email) => html`Vous avez saisi ${email}.`,
  otherAddress: "Utiliser une autre adresse",
  signInOtherwise: {
    lead: "Votre compte n’a pas de mot de passe. Connectez-vous comme d’habitude et supprimez tout ce qui n’est pas à vous :",
    passkey: "Avec votre clé d’accès",
    provider: (provider) => `Avec votre compte ${provider}`,
  },
  offTitle: "Pas d’envoi d’e-mails",
  offLead:
    "Ce serveur n’envoie pas d’e-mails et ne peut donc pas vous envoyer de lien. Un administrateur peut définir un nouveau mot de passe pour vous.",
  resetTitle: "Choisir un nouveau mot de passe",
  resetLead: "Vous serez déconnecté partout, puis vous vous connecterez avec le nouveau.",
  newPassword: "Nouveau mot de passe",
  newPasswordAgain: "Répétez le nouveau mot de passe",
  passwordHint: plural({
    one: (figure) =>
      `Au moins ${figure} caractère. Quelques mots sans rapport entre eux sont plus sûrs qu’un seul mot inhabituel.`,
    other: (figure) =>
      `Au moins ${figure} caractères. Quelques mots sans rapport entre eux sont plus sûrs qu’un seul mot inhabituel.`,
  }),
  setPassword: "Définir le mot de passe",
  tooShort: "Ce mot de passe est trop court.",
  tooLong: "Ce mot de passe est trop long.",
  tooCommon: "Ce mot de passe est trop courant et facile à deviner.",
  differs: "Les deux mots de passe ne sont pas identiques.",
  deadTitle: "Ce lien a expiré ou a déjà été utilisé",
  deadLead: "Un lien plus récent l’a peut-être remplacé. Demandez-en un nouveau.",
  askAgain: "Demander un nouveau lien",
  doneTitle: "Votre mot de passe est défini",
  doneLead: "Vous avez été déconnecté partout. Connectez-vous avec votre nouveau mot de passe.",
  signIn: "Se connecter",
  mailGreeting: "Bonjour,",
  mailSubject: (server) => `Choisissez un nouveau mot de passe sur ${server}`,
  mailAsked: (server) =>
    `Quelqu’un a demandé un nouveau mot de passe pour le compte associé à cette adresse sur ${server}. Ce lien vous permet d’en choisir un :`,
  mailButton: "Choisir un nouveau mot de passe",
  mailOnce: plural({
    one: (figure) =>
      `Il fonctionne une fois, pendant ${figure} minute. Si vous faites une nouvelle demande, seul le lien le plus récent est valable.`,
    other: (figure) =>
      `Il fonctionne une fois, pendant ${figure} minutes. Si vous faites une nouvelle demande, seul le lien le plus récent est valable.`,
  }),
  mailIgnore: "Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste le même.",
  mailNoWaySubject: (server) => `Votre compte sur ${server}`,
  mailInactive: (server) =>
    `Quelqu’un a demandé un nouveau mot de passe pour le compte associé à cette adresse sur ${server}. Le compte est désactivé : aucun mot de passe ne peut être défini. Un administrateur du serveur peut le réactiver.`,
  mailNoPassword: (server) =>
    `Quelqu’un a demandé un nouveau mot de passe pour le compte associé à cette adresse sur ${server}. Ce compte n’a pas de mot de passe. Vous vous y connectez autrement :`,
  mailByPasskey: "– avec l’une de vos clés d’accès",
  mailByProvider: (provider) => `– avec votre compte ${provider}`,
  mailSetLater: "Une fois connecté, vous pouvez définir un mot de passe dans « Compte ».",
  mailNothingToDo: "Si ce n’était pas vous, vous n’avez rien à faire.",
};
