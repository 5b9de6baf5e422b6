package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

var verifier = oidc.NewVerifier("http://localhost:3000",
	oidc.NewRemoteKeySet(context.Background(), "http://localhost:3000/.well-known/jwks.json"),
	&oidc.Config{ClientID: "https://api.example.com", SupportedSigningAlgs: []string{"RS256"}})

// Subject verifies the access token of a request and returns its subject. Answer 403 for the
// error insufficient_scope, and 401 for all others.
func Subject(ctx context.Context, token, scope string) (string, error) {
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return "", err
	}
	var claims struct {
		ClientID string `json:"client_id"`
		Scope    string `json:"scope"`
	}
	// Only access tokens have a client_id, so this rejects an id_token (RFC 9068, section 2.2).
	if err := verified.Claims(&claims); err != nil || claims.ClientID == "" {
		return "", errors.New("invalid_token")
	}
	if !slices.Contains(strings.Fields(claims.Scope), scope) {
		return "", errors.New("insufficient_scope")
	}
	return verified.Subject, nil
}
