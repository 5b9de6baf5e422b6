import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "Créer un compte",
  title: "Créer un compte",
  lead: "Saisissez votre adresse e-mail. Nous vous enverrons un e-mail pour continuer.",
  domains: (domains) => `Les adresses de ces domaines peuvent s’inscrire : ${domains}.`,
  invited: "Les personnes invitées peuvent s’inscrire.",
  submit: "Envoyer l’e-mail",
  askedTitle: "Consultez votre messagerie",
  askedLead: plural({
    one: (figure) =>
      `Si cette adresse peut s’inscrire, un e-mail vient d’y être envoyé. Ouvrez son lien dans un délai de ${figure} minute, ou saisissez son code ici.`,
    other: (figure) =>
      `Si cette adresse peut s’inscrire, un e-mail vient d’y être envoyé. Ouvrez son lien dans un délai de ${figure} minutes, ou saisissez son code ici.`,
  }),
  askedHint:
    "Rien après quelques minutes ? Regardez dans vos courriers indésirables et vérifiez que l’adresse est correcte.",
  code: "Code reçu par e-mail",
  useCode: "Continuer",
  wrongCode: "Ce n’est pas le code reçu par e-mail.",
  endedCode: "Ce code n’est plus valable. Ouvrez le lien de l’e-mail ou demandez un nouvel e-mail.",
  askAgain: "Demander un nouvel e-mail",
  finishTitle: "Créez votre compte",
  finishLead: "Choisissez un nom et un mot de passe, et votre compte est prêt.",
  make: "Créer le compte",
  existsTitle: "Vous avez déjà un compte",
  existsLead: "Un compte existe avec cette adresse. Connectez-vous avec lui.",
  deadTitle: "Ce lien n’est plus valable",
  deadLead: "Demandez un nouvel e-mail pour créer votre compte.",
  readyTitle: "Votre compte est prêt",
  readyLead:
    "Vous êtes connecté ici. Si vous avez commencé dans un autre navigateur ou dans une application, revenez-y et connectez-vous.",
  toAccount: "Accéder à votre compte",
  mailSubject: (server) => `Créez votre compte sur ${server}`,
  mailAsked: (server) =>
    `Quelqu’un veut créer un compte avec cette adresse sur ${server}. Ce lien permet de continuer :`,
  mailButton: "Créer le compte",
  mailCode: (code) =>
    `Dans le navigateur où vous avez commencé, vous pouvez saisir ce code à la place : ${code}`,
  mailOnce: plural({
    one: (figure) => `Le lien et le code sont valables ${figure} minute.`,
    other: (figure) => `Le lien et le code sont valables ${figure} minutes.`,
  }),
  mailIgnore:
    "Si ce n’était pas vous, vous n’avez rien à faire. Ne donnez le code à personne : aucun compte ne sera créé.",
  mailExists: (server) =>
    `Quelqu’un veut créer un compte avec cette adresse sur ${server}. Vous en avez déjà un. Connectez-vous ici :`,
  mailForgot: "Si vous ne connaissez plus le mot de passe, choisissez-en un nouveau ici :",
  mailInactive: (server) =>
    `Quelqu’un veut créer un compte avec cette adresse sur ${server}. Vous en avez déjà un, et il est désactivé. Un administrateur du serveur peut le réactiver.`,
};
