"""A nightly run with Airflow: topics of the partitions that are new, and a new model every Sunday.

The program topoi is on the workers of Airflow, which have the credentials of the store in their environment.
"""

from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator

MODEL = "s3://news/models/current.model"

with DAG(
    "topoi_nightly",
    schedule="30 2 * * *",
    start_date=datetime(2026, 11, 1),
    catchup=False,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=2)},
) as dag:
    BashOperator(
        task_id="topics_of_new_articles",
        bash_command=f"topoi infer {MODEL} s3://news/articles/ -o s3://news/topics/ --incremental --quiet",
    )

with DAG(
    "topoi_weekly", schedule="0 4 * * 0", start_date=datetime(2026, 11, 1), catchup=False
) as weekly:
    BashOperator(
        task_id="model",
        bash_command=f"topoi train s3://news/articles/ -k 200 -o {MODEL} --overwrite --quiet",
    )
