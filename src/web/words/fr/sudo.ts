import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "Confirmez votre identité",
  lead: "Vous êtes sur le point de modifier un élément qui protège votre compte ou celui d’autres personnes. Rien n’a encore été modifié.",
  password: "Mot de passe",
  wrongPassword: "Ce mot de passe est incorrect.",
  mailboxLead: (email) => html`Nous pouvons envoyer un code à ${email}.`,
  providerLead: "Connectez-vous-y encore une fois. Vous reviendrez ensuite ici.",
  confirmWith: (provider) => `Confirmer avec ${provider}`,
  confirmedLead: "Votre identité est confirmée. Terminez ce que vous avez commencé.",
  finish: "Terminer",
  sendAgain: (time) =>
    `Votre saisie était trop longue pour être conservée. Revenez en arrière et envoyez-la de nouveau : pendant ${time}, aucune autre confirmation n’est demandée.`,
  sendMailCode: "M’envoyer un code",
  mailCodeLabel: "Code reçu par e-mail",
  mailCodeHelp: (time) => `Il fonctionne une fois, pendant ${time}.`,
  wrongMailCode: "Ce code est incorrect ou a expiré.",
  mailSubject: (server) => `Votre code pour ${server}`,
  mailAsked: (server) =>
    `Vous êtes sur le point de modifier, sur ${server}, un élément qui protège votre compte. Confirmez-le avec ce code :`,
  mailMinutes: plural({
    one: (figure) => `Il fonctionne une fois, pendant ${figure} minute.`,
    other: (figure) => `Il fonctionne une fois, pendant ${figure} minutes.`,
  }),
  mailOther:
    "Si ce n’était pas vous, quelqu’un d’autre est connecté à votre compte : fermez vos sessions et prévenez un administrateur du serveur.",
  throttled: "Trop de tentatives en peu de temps.",
  changedMeanwhile:
    "Vous avez confirmé au même moment dans une autre fenêtre. Veuillez confirmer encore une fois ici.",
  noWay:
    "Rien de ce qui permettrait de confirmer ici n’est configuré pour votre compte. Un administrateur du serveur peut vous aider.",
  lostPasskey: "Je n’ai plus cette clé d’accès",
  cancel: "Annuler",
  submit: "Confirmer et continuer",
};
