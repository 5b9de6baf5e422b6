package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Sessions are kept in the memory of this process: use a session store in production.
type session struct{ state, nonce, verifier, name, idToken string }

var (
	mutex    sync.Mutex
	sessions = map[string]session{}
)

func load(request *http.Request) session {
	mutex.Lock()
	defer mutex.Unlock()
	if cookie, err := request.Cookie("session"); err == nil {
		return sessions[cookie.Value]
	}
	return session{}
}

// keep stores the session under a new ID, which prevents session fixation.
func keep(writer http.ResponseWriter, request *http.Request, kept session, secure bool) {
	mutex.Lock()
	defer mutex.Unlock()
	if cookie, err := request.Cookie("session"); err == nil {
		delete(sessions, cookie.Value)
	}
	id := rand.Text()
	sessions[id] = kept
	http.SetCookie(writer, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true,
		Secure: secure, SameSite: http.SameSiteLaxMode})
}

func main() {
	redirect, err := url.Parse(os.Getenv("OAUTH_REDIRECT_URI"))
	if err != nil {
		log.Fatal(err)
	}
	secure := redirect.Scheme == "https"
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("OAUTH_ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("OAUTH_CLIENT_ID"),
		ClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  redirect.String(),
		Scopes:       strings.Fields(os.Getenv("OAUTH_SCOPE")),
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/{$}", func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "text/html; charset=utf-8")
		if name := load(request).name; name != "" {
			fmt.Fprintf(writer, `<p>Signed in as %s</p><a href="/logout">Sign out</a>`, html.EscapeString(name))
			return
		}
		fmt.Fprint(writer, `<a href="/login">Sign in</a>`)
	})

	http.HandleFunc("/login", func(writer http.ResponseWriter, request *http.Request) {
		kept := session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		keep(writer, request, kept, secure)
		http.Redirect(writer, request, config.AuthCodeURL(kept.state, oidc.Nonce(kept.nonce),
			oauth2.S256ChallengeOption(kept.verifier)), http.StatusFound)
	})

	http.HandleFunc(redirect.Path, func(writer http.ResponseWriter, request *http.Request) {
		kept := load(request)
		if kept.state == "" || request.FormValue("state") != kept.state {
			http.Redirect(writer, request, "/login", http.StatusFound)
			return
		}
		if code := request.FormValue("error"); code != "" {
			http.Error(writer, code+": "+request.FormValue("error_description"), http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(request.Context(), request.FormValue("code"), oauth2.VerifierOption(kept.verifier))
		if err != nil {
			http.Error(writer, err.Error(), http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(request.Context(), raw)
		if err != nil || idToken.Nonce != kept.nonce {
			http.Error(writer, "the id_token is not for this sign-in", http.StatusBadGateway)
			return
		}
		var claims struct {
			Name string `json:"name"`
		}
		if err := idToken.Claims(&claims); err != nil || claims.Name == "" {
			claims.Name = idToken.Subject
		}
		keep(writer, request, session{name: claims.Name, idToken: raw}, secure)
		http.Redirect(writer, request, "/", http.StatusFound)
	})

	http.HandleFunc("/logout", func(writer http.ResponseWriter, request *http.Request) {
		query := url.Values{"client_id": {config.ClientID}}
		if raw := load(request).idToken; raw != "" {
			query.Set("id_token_hint", raw)
		}
		// The page that users see after signing out. It must be a registered post-logout redirect URI.
		if returnsTo := os.Getenv("OAUTH_POST_LOGOUT_REDIRECT_URI"); returnsTo != "" {
			query.Set("post_logout_redirect_uri", returnsTo)
		}
		keep(writer, request, session{}, secure)
		var metadata struct {
			EndSession string `json:"end_session_endpoint"`
		}
		if err := provider.Claims(&metadata); err != nil {
			http.Error(writer, err.Error(), http.StatusInternalServerError)
			return
		}
		http.Redirect(writer, request, metadata.EndSession+"?"+query.Encode(), http.StatusFound)
	})

	port := os.Getenv("PORT")
	if port == "" {
		port = redirect.Port()
	}
	if port == "" {
		port = "8080"
	}
	fmt.Printf("Open http://%s:%s/\n", redirect.Hostname(), port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
