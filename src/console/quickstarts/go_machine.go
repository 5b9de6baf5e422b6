package main

import (
	"context"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("OAUTH_ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := clientcredentials.Config{
		ClientID:     os.Getenv("OAUTH_CLIENT_ID"),
		ClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),
		TokenURL:     provider.Endpoint().TokenURL,
		Scopes:       strings.Fields(os.Getenv("OAUTH_SCOPE")),
	}
	if resource := os.Getenv("OAUTH_RESOURCE"); resource != "" {
		config.EndpointParams = url.Values{"resource": {resource}}
	}
	// config.Client(ctx) returns an HTTP client that requests a new token when this one is about to expire.
	token, err := config.Token(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("access_token:", token.AccessToken)
	fmt.Println("expires", token.Expiry)
}
