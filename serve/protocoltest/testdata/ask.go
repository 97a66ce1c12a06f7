// Command ask uses the client that a generator made of the protocol's description: it asks a server
// everything there is to ask and prints the first share of the first text.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	server, model, ctx := os.Args[1], os.Args[2], context.Background()
	c, err := NewClientWithResponses(server)
	must(err)
	live, err := c.ServerLiveWithResponse(ctx)
	must(err)
	ready, err := c.ServerReadyWithResponse(ctx)
	must(err)
	about, err := c.DescribeServerWithResponse(ctx)
	must(err)
	if live.StatusCode() != 200 || ready.StatusCode() != 200 || about.JSON200 == nil || about.JSON200.Name != "topoi" {
		log.Fatalf("the server: %s %s %s", live.Status(), ready.Status(), about.Body)
	}
	version := os.Args[3]
	described, err := c.DescribeModelWithResponse(ctx, model, version)
	must(err)
	if described.JSON200 == nil || (*described.JSON200.Versions)[0] != version || (*described.JSON200.Inputs)[0].Name != "text" {
		log.Fatalf("the model: %s", described.Body)
	}
	modelReady, err := c.ModelReadyWithResponse(ctx, model, version)
	must(err)
	wrong, err := c.ModelReadyWithResponse(ctx, model, "1")
	must(err)
	if modelReady.StatusCode() != 200 || wrong.StatusCode() != 404 {
		log.Fatalf("ready: %s, another version: %s", modelReady.Status(), wrong.Status())
	}
	infer(ctx, c, model, version)
}

// infer asks for topics, once with a request that can be answered and once with one that cannot.
func infer(ctx context.Context, c *ClientWithResponses, model, version string) {
	var text Values_Item
	must(text.FromValues2("garden soil"))
	input := Data{Name: "text", Shape: []int{1}, Datatype: "BYTES", Data: Values{text}}
	answer, err := c.InferWithResponse(ctx, model, version, Request{Inputs: []Data{input}})
	must(err)
	if answer.JSON200 == nil || *answer.JSON200.ModelVersion != version || len(answer.JSON200.Outputs) != 3 {
		log.Fatalf("the answer: %s", answer.Body)
	}
	share, err := answer.JSON200.Outputs[0].Data[0].AsValues1()
	must(err)
	refused, err := c.InferWithResponse(ctx, model, version, Request{Inputs: []Data{}})
	must(err)
	if refused.JSON400 == nil || *refused.JSON400.Error == "" {
		log.Fatalf("a request without input: %s %s", refused.Status(), refused.Body)
	}
	fmt.Println(share)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
