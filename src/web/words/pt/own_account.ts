import { html } from "../../html/html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "Endereço de e-mail",
    change: "Alterar o endereço",
    lead: "Você faz login com este endereço, e as mensagens sobre sua conta vão para ele.",
    now: "Endereço atual",
    waits: (email) => html`${email} aguarda sua confirmação.`,
    waitsHint:
      "Abra o link da mensagem que enviamos para lá em um navegador em que você esteja conectado. Até então, nada muda.",
    cancel: "Manter o endereço atual",
    next: "Novo endereço",
    submit: "Enviar o link",
    noMail: "Este servidor não envia e-mails, por isso não pode verificar outro endereço.",
    locked: (time) =>
      html`O endereço foi restaurado pela caixa de entrada anterior. Ele poderá ser alterado novamente a partir de ${time}.`,
    errors: {
      email: "Informe um endereço de e-mail, como nome@example.com.",
      same: "Esse já é seu endereço.",
      throttled: "Isso foi solicitado vezes demais em pouco tempo. Tente novamente mais tarde.",
    },
    confirmTitle: "Confirme seu novo endereço",
    confirmLead: (email) =>
      html`A partir de então, você faz login com ${email}, e as mensagens sobre sua conta vão para lá.`,
    confirm: "Usar este endereço",
    deadTitle: "Este link não é mais válido",
    deadLead: "Ele já foi usado, expirou ou pertence a outra conta, ou o endereço não pode ser usado.",
    undoTitle: "Restaurar seu endereço",
    undoLead: (email, time) =>
      html`Sua conta volta a ter ${email}. Todas as sessões dela são encerradas, e o endereço não muda por ${time}.`,
    undo: "Restaurar o endereço",
    undoneTitle: "Seu endereço foi restaurado",
    undoneLead: "Todas as sessões da sua conta foram encerradas.",
    undoneKept: "Sua conta seria excluída. Ela foi mantida.",
    undoneLink: "Escolha uma nova senha agora: estamos enviando um link para isso.",
    choosePassword: "Escolher uma nova senha",
    outOfDate: "Este formulário estava desatualizado. Tente novamente.",
    mailSubject: (server) => `Confirme seu novo endereço em ${server}`,
    mailAsked: (server) =>
      `Alguém conectado em ${server} quer usar este endereço na própria conta. Se foi você, abra este link em um navegador em que esteja conectado:`,
    mailButton: "Confirmar o endereço",
    mailFor: plural({
      one: (figure) => `Ele é válido por ${figure} minuto.`,
      other: (figure) => `Ele é válido por ${figure} minutos.`,
    }),
    mailIgnore: "Se não foi você, não precisa fazer nada.",
    mailUndo: plural({
      one: (figure) => `Por ${figure} dia, o link abaixo restaura este endereço e encerra todas as sessões.`,
      other: (figure) =>
        `Por ${figure} dias, o link abaixo restaura este endereço e encerra todas as sessões.`,
    }),
  },
  data: {
    title: "Seus dados",
    open: "Baixar seus dados",
    lead: "Um arquivo legível por programas com tudo o que este servidor guarda sobre você.",
    without: "Senhas, chaves e códigos não estão nele. Guarde o arquivo onde ninguém mais possa lê-lo.",
    download: "Baixar o arquivo",
    schema: "Estrutura do arquivo (JSON Schema)",
  },
  deletion: {
    title: "Excluir sua conta",
    open: "Excluir sua conta",
    lead: (time) =>
      `Todas as suas sessões são encerradas imediatamente. Por ${time}, você pode mudar de ideia; depois, todos os seus dados são excluídos.`,
    goes: "O que é removido",
    goesAlways: "Seu nome, sua foto, seu endereço e sua senha",
    memberships: plural({
      one: (figure) => `${figure} associação a uma organização termina`,
      other: (figure) => `${figure} associações a organizações terminam`,
    }),
    stays: "Os registros de eventos guardam um identificador no lugar do seu nome.",
    successorTitle: "Quem assume",
    successorLead: plural({
      one: (figure) =>
        `Você criou ${figure} aplicativo ou conta de serviço de uma organização. Indique o membro que vai assumir.`,
      other: (figure) =>
        `Você criou ${figure} aplicativos e contas de serviço de organizações. Indique o membro que vai assumir.`,
    }),
    successorHint: "A transferência é imediata e permanece mesmo que você mude de ideia.",
    successor: "E-mail de quem vai assumir",
    submit: "Excluir a conta",
    errors: {
      successor:
        "Essa pessoa não é membro ativo de todas as organizações às quais os aplicativos e as contas de serviço pertencem.",
      last_administrator: "Você é o último administrador da plataforma. Nomeie outro primeiro.",
      last_owner:
        "Você é o último proprietário de uma organização. Nomeie outro primeiro ou exclua a organização.",
    },
    askedTitle: "Sua conta será excluída",
    asked: (day) =>
      html`Todas as suas sessões foram encerradas. Faça login antes de ${day} para manter a conta.`,
    undoTitle: "Manter sua conta?",
    undoLead: (day) => html`Ela será excluída em ${day}. Se você a mantiver, faz login como antes.`,
    undo: "Manter a conta",
    undoneTitle: "Sua conta foi mantida",
    undoneLead:
      "Faça login como antes. As chaves de API e o acesso dos aplicativos precisam ser concedidos novamente.",
    signIn: "Fazer login",
    deadTitle: "Não há nada para desfazer aqui",
    deadLead: "Faça login novamente, ou a conta já foi mantida ou excluída.",
    mailUntil: (day) =>
      `Ela será removida com tudo o que é seu em ${day}. Até lá, o link abaixo permite mantê-la.`,
  },
};
