import type { ErrorWords } from "../en/error.ts";

export const errorWords: ErrorWords = {
  error: "Error",
  detail: "Detalle",
  request: "Solicitud",
  reference: "Referencia",
  start: "Ir a la página de inicio",
  kinds: {
    refused: {
      title: "Hay un problema con esta solicitud",
      message: "El servidor la ha rechazado. Consulta los detalles de abajo.",
      hint: "Si te ha enviado aquí una aplicación, a quienes la desarrollan les servirá lo que está escrito abajo.",
    },
    missing: {
      title: "Aquí no hay nada",
      message: "No hay nada en esta dirección.",
      hint: "Puede que se haya escrito o copiado mal.",
    },
    busy: {
      title: "Un momento, por favor",
      message: "El servidor está ocupado. Vuelve a intentarlo en un momento.",
      hint: "No se ha perdido nada: recarga esta página.",
    },
    broken: {
      title: "Algo ha fallado aquí",
      message: "El servidor se ha encontrado con una situación inesperada.",
      hint: "No es culpa tuya. Quien administra este servidor puede averiguar más con el número de la solicitud.",
    },
    foreign_form: {
      title: "No se puede aceptar este formulario",
      message: "El formulario ha caducado o se envió desde otro sitio.",
      hint: "Vuelve atrás e inténtalo de nuevo.",
    },
    sign_in_ended: {
      title: "Ya no tienes la sesión iniciada",
      message: "La sesión ha terminado.",
      hint: "Empieza de nuevo desde la aplicación.",
    },
    client_document_unavailable: {
      title: "No se puede acceder a la aplicación",
      message: "Esta aplicación se describe en una dirección propia, que ahora no responde.",
      hint: "Vuelve a intentarlo dentro de un momento. Si sigue ocurriendo, avisa a quienes hacen la aplicación.",
    },
    unknown_client: {
      title: "Esta aplicación no está registrada aquí",
      message: "Nunca se registró aquí, o su registro se eliminó porque no se usaba.",
      hint: "Si la aplicación se conectó por sí misma, elimina allí la conexión y vuelve a conectarla.",
    },
    dead_setup_link: {
      title: "Este enlace ha caducado o ya se ha usado",
      message: "Este enlace de configuración no se puede volver a usar.",
      hint: "Al iniciar de nuevo el servidor se muestra otro.",
    },
  },
};
