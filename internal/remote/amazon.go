package remote

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/ec2rolecreds"
	"github.com/aws/smithy-go/logging"
)

// amazon holds the settings for S3. Environment, profiles, roles and machines are read by Amazon's own library.
type amazon struct {
	s3
	endpoint, region string
	given            aws.CredentialsProvider // keeps credentials until they expire
	fault            error                   // what is wrong with environment or files; every request says so

	// lastResort says that nothing was configured, so that only the machine may have a role.
	lastResort bool
	// public is set when the machine has none: requests are not signed, and read what is public.
	public atomic.Bool
}

func (a *amazon) address(p place) string { return inPath(a.endpoint, p) }

func (a *amazon) authorize(r *http.Request) error {
	if r.Header.Get("Range") != "" {
		r.Header.Set("X-Amz-Checksum-Mode", "ENABLED")
	}
	who, err := a.find(r.Context())
	if err != nil || !who.HasKeys() {
		return err
	}
	return sign(r, who, a.region)
}

func (a *amazon) credentials() string {
	return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, to credentials that may use this bucket"
}

// settings reads environment and files once.
var settings = sync.OnceValue(readAmazon)

func readAmazon() *amazon {
	a := &amazon{s3: s3{opening: amazonUpload}, fault: halfSet("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
	found, err := config.LoadDefaultConfig(until(), config.WithLogger(logging.Nop{})) // what is wrong is an error
	if a.fault == nil && err != nil {
		a.fault = err
	}
	a.region = cmp.Or(found.Region, "us-east-1")
	a.endpoint = cmp.Or(amazonEndpoint(found), "https://s3."+a.region+".amazonaws.com")
	a.given = found.Credentials
	a.lastResort = a.fault == nil && aws.IsCredentialsProvider(a.given, (*ec2rolecreds.Provider)(nil))
	return a
}

// halfSet returns an error if one of two variables is set and the other is not: going on as somebody else would
// surprise.
func halfSet(one, other string) error {
	if (os.Getenv(one) == "") == (os.Getenv(other) == "") {
		return nil
	}
	if os.Getenv(one) == "" {
		one, other = other, one
	}
	return fmt.Errorf("%s is set, but %s is not", one, other)
}

// amazonEndpoint returns the address of another store than Amazon's: that of S3 alone before that of all services.
func amazonEndpoint(found aws.Config) string {
	for _, source := range found.ConfigSources {
		if s, ok := source.(interface {
			GetServiceBaseEndpoint(ctx context.Context, service string) (string, bool, error)
		}); ok {
			if address, set, err := s.GetServiceBaseEndpoint(context.Background(), "S3"); set && err == nil {
				return address
			}
		}
	}
	return aws.ToString(found.BaseEndpoint)
}

const (
	// machineAnswers is how long the service that gives a machine's role may take. Elsewhere nobody answers.
	machineAnswers = 2 * time.Second
	// servicesAnswer is how long services that give roles may take, with their retries.
	servicesAnswer = time.Minute
)

// find returns the credentials of a request, and none where nothing was configured and the machine has no role.
func (a *amazon) find(ctx context.Context) (aws.Credentials, error) {
	if a.fault != nil {
		return aws.Credentials{}, a.fault
	}
	if a.public.Load() {
		return aws.Credentials{}, nil
	}
	profile := os.Getenv("AWS_PROFILE")
	if a.lastResort && profile == "" && !strings.Contains(a.endpoint, ".amazonaws.com") {
		a.public.Store(true) // the role of a machine at Amazon is not for the stores of others
		return aws.Credentials{}, nil
	}
	limit := servicesAnswer
	if a.lastResort {
		limit = machineAnswers
	}
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	who, err := a.given.Retrieve(limited)
	switch {
	case err == nil:
		return who, nil
	case ctx.Err() != nil:
		return who, ctx.Err()
	case a.lastResort && profile == "":
		a.public.Store(true)
		return aws.Credentials{}, nil
	case a.lastResort:
		return who, fmt.Errorf("the profile %q has no credentials, and the machine has no role", profile)
	}
	return who, err
}
